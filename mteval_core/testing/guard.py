"""The process that watches a process that runs checks: ``python guard.py PID SLOW``.

A line on standard input says what the watched process does: the seconds that a check may take, the
check and the sample that it tries, separated by tabs; or nothing, when no check runs. A check that
has run for SLOW seconds is reported on standard error. The watched process is aborted when a check
has taken all its seconds, because it can only be one that holds the interpreter lock: the process
ends all others itself.
"""

import os
import signal
import sys
import threading
import time


class Guard:
    """What the watched process does, and since when."""

    def __init__(self) -> None:
        self.limit = self.check = self.sample = ""
        self.since = time.monotonic()
        self.reported = False

    def follow(self) -> None:
        """Read what the watched process does until it ends; then end, too."""
        for line in sys.stdin.buffer:
            limit, check, sample = line.decode("utf-8", "replace").rstrip("\n").split("\t")
            if not sample:
                self.since, self.reported = time.monotonic(), False
            self.limit, self.check, self.sample = limit, check, sample
        os._exit(0)

    def look(self, pid: int, slow: float) -> None:
        """Report a slow check once, and abort the process if the check does not end."""
        if not self.check:
            return
        seconds = time.monotonic() - self.since
        what = f"{self.check} (sample: {self.sample})" if self.sample else self.check
        if seconds > slow and not self.reported:
            self.reported = True
            say(f"{what} has been running for {seconds:.0f} s")
        if seconds > float(self.limit):
            say(f"{what} has not ended after {seconds:.0f} s and cannot be interrupted; aborting")
            os.kill(pid, signal.SIGABRT)
            os._exit(1)


def say(text: str) -> None:
    """Print a line on standard error."""
    sys.stderr.write(f"mteval: {text}\n")
    sys.stderr.flush()


def main() -> None:
    """Watch."""
    pid, slow = int(sys.argv[1]), float(sys.argv[2])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the watched process
    guard = Guard()
    threading.Thread(target=guard.follow, daemon=True).start()
    while True:
        time.sleep(min(slow, 1) / 4)
        guard.look(pid, slow)


if __name__ == "__main__":
    main()
