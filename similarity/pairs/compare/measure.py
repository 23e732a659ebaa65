"""Runs a command and prints its time, CPU time, and the peak memory of its largest process as JSON.

    python3 -I -S measure.py TIMEOUT STDOUT STDERR COMMAND...

It is a program of its own because a process's peak memory includes that of the one which started it."""

import os
import signal
import sys
import time

timeout, stdout, stderr, command = float(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
start = time.monotonic()
child = os.posix_spawn(
    command[0],
    command,
    os.environ,
    file_actions=[(os.POSIX_SPAWN_OPEN, 1, stdout, flags, 0o666), (os.POSIX_SPAWN_OPEN, 2, stderr, flags, 0o666)],
    setpgroup=0,
)
stopped = []
signal.signal(signal.SIGALRM, lambda *_: (stopped.append(True), os.killpg(child, signal.SIGKILL)))
signal.setitimer(signal.ITIMER_REAL, timeout)
_, status, usage = os.wait4(child, 0)
seconds, cpu = time.monotonic() - start, usage.ru_utime + usage.ru_stime
status = os.waitstatus_to_exitcode(status)
print(f'{{"status": {status}, "stopped": {"true" if stopped else "false"}, "seconds": {seconds:.2f}, ', end="")
print(f'"cpu_seconds": {cpu:.2f}, "peak_mb": {usage.ru_maxrss >> 10}}}')
