"""A progress bar on stderr, only where stderr is a terminal."""


class Bar:
    """Call it as bar(done, total, what); it starts anew whenever `what` or `total` changes."""

    def __init__(self):
        self.bar, self.what = None, None

    def __call__(self, done, total, what):
        from tqdm import tqdm

        if (what, total) != self.what:
            self.close()
            self.bar, self.what = tqdm(total=total, desc=what, disable=None, leave=False), (what, total)
        self.bar.update(done - self.bar.n)
        if done >= total:
            self.close()

    def close(self):
        if self.bar is not None:
            self.bar.close()
        self.bar = self.what = None
