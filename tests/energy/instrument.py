# SPDX-License-Identifier: MIT
"""A power meter that does not exist: a WT310 as far as its commands go, on a
TCP port of the kernel's choice or behind a pty.

A test sets the power and moves its time (advance), so that the truth is known;
or lets it follow the clock. Faults stand in a queue for each question:

    instrument.fault(":NUM:NORM:VAL?", "late")

silent  no answer             late     the answer comes before the next one
behind  what is held comes, and the answer is held
twice   the answer, again     pieces   byte after byte
close   the link ends         endless  a line without an end
say:X   X instead
"""
import os
import socket
import threading
import time
import tty

IDENTITY = "YOKOGAWA,WT310,C2QA12345E,F1.01"


class Instrument:
    def __init__(self, elements=1):
        self.lock = threading.RLock()
        self.watts = [100.0] * elements
        self.wh = [0.0] * elements
        self.elapsed_s = 0.0
        self.state = "RESET"
        self.identity = IDENTITY
        self.settings = {":COMM:HEAD": "1", ":NUM:FORM": "FLOAT",
                         ":NUM:NORM:NUM": "3", ":RATE": "250E-03"}
        for at in range(1, 16):
            self.settings[f":NUM:NORM:ITEM{at}"] = "U,1"
        self.stubborn = set()  # settings that do not change
        self.figures = {}  # "WH,1": what it says instead
        self.form = "{:.4E}"  # five digits, as the instrument's
        self.log = []  # all that it was told and asked
        self.faults = {}
        self.held = b""
        self.clock = None
        self.look = None

    # ---- what a test does ---------------------------------------------

    def advance(self, seconds):
        with self.lock:
            if self.state == "START":
                self.elapsed_s += seconds
                for at, watts in enumerate(self.watts):
                    self.wh[at] += watts * seconds / 3600

    def follow_clock(self, look):
        """From now on its time is the real one, and its power what look()
        says whenever it hears something."""
        self.clock, self.look = time.monotonic(), look

    def catch_up(self):
        now = time.monotonic()
        self.advance(now - self.clock)
        self.clock = now
        self.watts[0] = self.look()

    def fault(self, question, *kinds):
        self.faults.setdefault(question, []).extend(kinds)

    def reset(self):
        self.state, self.elapsed_s = "RESET", 0.0
        self.wh = [0.0] * len(self.wh)

    # ---- what it does -------------------------------------------------

    def value(self, item):
        if item in self.figures:
            return self.figures[item]
        function, element = item.split(",")
        if function == "TIME":
            return str(int(self.elapsed_s))
        if function == "WH" and self.state == "RESET":
            return "NAN"
        if int(element) > len(self.watts):
            return "NAN"
        values = self.wh if function == "WH" else self.watts
        return self.form.format(values[int(element) - 1])

    def answer(self, question):
        if question == "*IDN?":
            return self.identity
        if question == ":INTEG:STAT?":
            return self.headed(":INTEGRATE:STATE", self.state)
        if question == ":NUM:NORM:VAL?":
            count = int(self.settings[":NUM:NORM:NUM"])
            return ",".join(self.value(self.settings[f":NUM:NORM:ITEM{at}"])
                            for at in range(1, count + 1))
        command = question[:-1]
        if command in self.settings:
            return self.headed(command, self.settings[command])
        return None

    def headed(self, command, value):
        if self.settings[":COMM:HEAD"] == "1":
            return f"{command} {value}"
        return value

    def obey(self, command):
        if command == ":INTEG:START" and self.state in ("RESET", "STOP"):
            self.state = "START"
        elif command == ":INTEG:STOP" and self.state == "START":
            self.state = "STOP"
        elif command == ":INTEG:RES" and self.state != "START":
            self.reset()
        elif " " in command:
            name, value = command.split(" ", 1)
            if name in self.settings and name not in self.stubborn:
                self.settings[name] = value

    def hear(self, line):
        """@return what to do: (bytes to send, whether to close)."""
        with self.lock:
            if self.clock is not None:
                self.catch_up()
            self.log.append(line)
            if not line.endswith("?"):
                self.obey(line)
                return b"", False
            answer = self.answer(line)
            queue = self.faults.get(line)
            kind = queue.pop(0) if queue else ""
            if kind.startswith("say:"):
                answer = kind[4:]
            if answer is None or kind == "silent":
                return b"", False
            if kind == "close":
                return b"", True
            if kind == "blank":
                return b"\r\n" * 100, False
            if kind == "endless":
                return b"x" * 5000, False
            data = answer.encode("latin-1") + b"\r\n"
            if kind == "late":
                self.held += data
                return b"", False
            if kind == "behind":
                data, self.held = self.held, data
                return data, False
            if kind == "twice":
                data += data
            data, self.held = self.held + data, b""
            return data, False


class Line:
    """What an instrument is plugged into; a thread reads it."""

    def __init__(self, instrument):
        self.instrument = instrument
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def serve(self, receive, send):
        """Until the other side ends, or the instrument does."""
        rest = b""
        while True:
            data = receive()
            if not data:
                return
            rest += data
            while b"\n" in rest:
                line, rest = rest.split(b"\n", 1)
                line = line.decode("latin-1").strip()
                pieces = "pieces" in self.instrument.faults.get(line, [])[:1]
                answer, close = self.instrument.hear(line)
                for at in range(0, len(answer), 1 if pieces else 1 << 20):
                    send(answer[at:at + (1 if pieces else 1 << 20)])
                if close:
                    return


class Tcp(Line):
    def __init__(self, instrument):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.option = "address=" + self.address
        self.connection = None
        self.connections = 0
        super().__init__(instrument)

    def run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connection = connection
            self.connections += 1
            with connection:
                try:
                    self.serve(lambda: connection.recv(4096),
                               connection.sendall)
                except OSError:
                    pass

    def end(self):
        for end in (self.listener, self.connection):
            if end is not None:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                end.close()
        self.thread.join(20)


class Pty(Line):
    def __init__(self, instrument):
        self.master, self.slave = os.openpty()
        self.option = "device=" + os.ttyname(self.slave)
        tty.setcbreak(self.slave)
        super().__init__(instrument)

    def run(self):
        try:
            self.serve(lambda: os.read(self.master, 4096),
                       lambda data: os.write(self.master, data))
        except OSError:
            pass

    def end(self):
        os.close(self.slave)  # the last one: the master's read ends
        self.thread.join(20)
        os.close(self.master)
