/* SPDX-License-Identifier: MIT */
#include "tcp_state.h"

/* Short, so that the table reads as one. */
enum {
	OPN = TCP_OPENING,
	CLD = TCP_CALLED,
	CLO = TCP_CLOSED,
	RST = TCP_RESET,
	EST = TCP_ESTABLISHED,
	FNO = TCP_FIN_OUT,
	FNI = TCP_FIN_IN,
};

/* clang-format off */
const uint8_t tcp_next_state[TCP_STATES][TCP_EVENTS] = {
	/* A line of what the inside sends, then one of what the outside does:
	 *          -    SYN  FIN  RST  data bare unused */
	[OPN] = { OPN, OPN, OPN, RST, OPN, OPN, OPN, OPN,
		  OPN, EST, FNI, RST, EST, EST, OPN, OPN },
	[CLD] = { CLD, EST, FNO, RST, EST, EST, CLD, CLD,
		  CLD, CLD, CLD, RST, CLD, CLD, CLD, CLD },
	[CLO] = { CLO, OPN, CLO, RST, EST, CLO, CLO, CLO,
		  CLO, CLD, CLO, RST, EST, CLO, CLO, CLO },
	[RST] = { RST, OPN, FNO, RST, EST, EST, RST, RST,
		  RST, CLD, FNI, RST, EST, EST, RST, RST },
	[EST] = { EST, EST, FNO, RST, EST, EST, EST, EST,
		  EST, EST, FNI, RST, EST, EST, EST, EST },
	[FNO] = { FNO, EST, FNO, RST, FNO, FNO, FNO, FNO,
		  FNO, EST, CLO, RST, FNO, FNO, FNO, FNO },
	[FNI] = { FNI, EST, CLO, RST, FNI, FNI, FNI, FNI,
		  FNI, EST, FNI, RST, FNI, FNI, FNI, FNI },
};
/* clang-format on */
