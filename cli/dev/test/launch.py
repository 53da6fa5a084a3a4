#!/usr/bin/python3
"""launch.py DESCRIPTOR SECONDS PROGRAM [WORD...] - run a program, and write to DESCRIPTOR what it used.

The kernel counts the memory of the process that starts a program as the program's own, so a large test
starts this small one instead. It writes: wait status, kilobytes, seconds of processor time.
"""
import os
import resource
import sys

report, seconds = map(int, sys.argv[1:3])
os.set_inheritable(report, False)
child = os.fork()
if child == 0:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    os.execv(sys.argv[3], sys.argv[3:])
os.close(0)  # the program alone reads and writes them
os.close(1)
_, status, used = os.wait4(child, 0)
os.write(report, b"%d %d %.3f\n" % (status, used.ru_maxrss, used.ru_utime + used.ru_stime))
