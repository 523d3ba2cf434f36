#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""shout: work counters from Python, by ctypes. Copies a text in capitals, and
counts its lines and bytes while it does.

    ./shout.py < text

There is nothing to build. An installation of your own is found by
LD_LIBRARY_PATH.
"""
import ctypes
import sys


class Definition(ctypes.Structure):
    """struct sl_counter_def"""
    _fields_ = [("name", ctypes.c_char_p), ("unit", ctypes.c_char_p),
                ("scale", ctypes.c_double)]


class Error(ctypes.Structure):
    """struct sl_error"""
    _fields_ = [("code", ctypes.c_int), ("line", ctypes.c_int),
                ("input_line", ctypes.c_int64), ("file", ctypes.c_char * 64),
                ("input", ctypes.c_char * 256),
                ("message", ctypes.c_char * 512)]


class SluiceError(Exception):
    """What libsluice says is wrong."""


class Counters:
    """Counters of this program, by name; each a pair of name and unit.

        with Counters("encoder", ("frames", "frame")) as counters:
            counters.add("frames", 1)
    """
    sluice = ctypes.CDLL("libsluice.so.1")
    sluice.sl_counters_create.argtypes = [
        ctypes.POINTER(ctypes.c_void_p), ctypes.c_char_p,
        ctypes.POINTER(Definition), ctypes.c_size_t, ctypes.POINTER(Error)]
    sluice.sl_counters_destroy.argtypes = [ctypes.c_void_p]
    sluice.sl_counters_destroy.restype = None
    sluice.sl_counter_add.argtypes = [ctypes.c_void_p, ctypes.c_size_t,
                                      ctypes.c_uint64]
    sluice.sl_counter_add.restype = None
    sluice.sl_counter_set_double.argtypes = [ctypes.c_void_p, ctypes.c_size_t,
                                             ctypes.c_double]
    sluice.sl_counter_set_double.restype = None

    def __init__(self, program, *counters):
        self.index = {name: at for at, (name, _) in enumerate(counters)}
        self.handle = ctypes.c_void_p()
        definitions = (Definition * len(counters))(
            *(Definition(name.encode(), unit.encode(), 1)
              for name, unit in counters))
        error = Error()
        if self.sluice.sl_counters_create(
                ctypes.byref(self.handle), program.encode(), definitions,
                len(counters), ctypes.byref(error)):
            raise SluiceError(error.message.decode(errors="replace"))

    def add(self, name, amount):
        self.sluice.sl_counter_add(self.handle, self.index[name], amount)

    def set_double(self, name, value):
        self.sluice.sl_counter_set_double(self.handle, self.index[name], value)

    def close(self):
        handle, self.handle = self.handle, None  # counting goes on into nothing
        self.sluice.sl_counters_destroy(handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def main():
    lines = size = 0
    with Counters("shout", ("lines", "line"), ("bytes", "B"),
                  ("mean_line", "B")) as counters:
        for line in sys.stdin.buffer:
            lines += 1
            size += len(line)
            counters.add("lines", 1)
            counters.add("bytes", len(line))
            counters.set_double("mean_line", size / lines)
            sys.stdout.buffer.write(line.upper())
            sys.stdout.buffer.flush()


if __name__ == "__main__":
    try:
        main()
    except SluiceError as error:
        sys.exit(f"shout: {error}")
