/* SPDX-License-Identifier: MIT */
/* What libpcap reads from a capture, in the words of the sink `dump`: a line
 *
 *     INDEX TIME CAPTURED ORIGINAL HASH
 *
 * a packet. Exits with 1 and libpcap's message where it refuses to go on. */
#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>

static uint64_t hash(const unsigned char *bytes, bpf_u_int32 count)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (bpf_u_int32 at = 0; at < count; at++)
		sum = (sum ^ bytes[at]) * UINT64_C(0x100000001b3);
	return sum;
}

/* libpcap takes seconds, and ns, for signed, which the format's specification
 * does not. */
static int64_t unsigned_32(int64_t value)
{
	return value < 0 ? value + (INT64_C(1) << 32) : value;
}

int main(int argc, char **argv)
{
	char message[PCAP_ERRBUF_SIZE] = "";
	struct pcap_pkthdr *header;
	const unsigned char *bytes;
	uint64_t index = 0;
	pcap_t *capture;
	int result;

	if (argc != 2) {
		fputs("usage: pcap_dump FILE\n", stderr);
		return 2;
	}
	capture = pcap_open_offline_with_tstamp_precision(
		argv[1], PCAP_TSTAMP_PRECISION_NANO, message);
	if (!capture) {
		fprintf(stderr, "%s\n", message);
		return 1;
	}
	while ((result = pcap_next_ex(capture, &header, &bytes)) == 1)
		printf("%" PRIu64 " %" PRId64 " %u %u %016" PRIx64 "\n",
		       index++,
		       unsigned_32(header->ts.tv_sec) * 1000000000 +
			       unsigned_32(header->ts.tv_usec),
		       header->caplen, header->len,
		       hash(bytes, header->caplen));
	if (result != PCAP_ERROR_BREAK)
		fprintf(stderr, "%s\n", pcap_geterr(capture));
	pcap_close(capture);
	return result == PCAP_ERROR_BREAK ? 0 : 1;
}
