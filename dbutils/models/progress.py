"""Progress on stderr: a bar on a terminal, now and then a line elsewhere (a log, a pipe)."""

import os
import sys
import time

EVERY = 30  # seconds between two lines


class Bar:
    """Call it as bar(done, total, what); it starts anew whenever `what` or `total` changes."""

    def __init__(self):
        self.bar = self.what = None

    def __call__(self, done, total, what):
        if (what, total) != self.what:
            self.close()
            self.bar, self.what = _shown(total, what), (what, total)
        self.bar.update(done - self.bar.n)
        if done >= total:
            self.close()

    def close(self):
        if self.bar is not None:
            self.bar.close()
        self.bar = self.what = None


def _shown(total, what):
    if os.environ.get("TQDM_DISABLE") or sys.stderr.isatty():
        from tqdm import tqdm

        return tqdm(total=total, desc=what, disable=None, leave=False)
    return Lines(total, what)


class Lines:
    """What a bar would show, as a line every half minute; nothing of what takes less."""

    def __init__(self, total, what):
        self.total, self.what, self.n = total, what, 0
        self.start = self.said = time.monotonic()

    def update(self, more):
        self.n += more
        now = time.monotonic()
        if now - self.said >= EVERY and self.n < self.total:
            self.said = now
            left = (now - self.start) * (self.total - self.n) / self.n if self.n else None
            rest = "" if left is None else f", about {left:.0f} s to go"
            print(
                f"{self.what}: {self.n} of {self.total} after {now - self.start:.0f} s{rest}",
                file=sys.stderr,
                flush=True,
            )

    def close(self):
        pass
