"""Where a label fits: a board of small cells, some of them taken. All lengths in inches, y upwards."""

import numpy as np

STEP = 0.02
RIM = 2  # cells at the edge that stay empty


class Board:
    """A board of `width` by `height`; `labels`: cells taken by labels; `taken`: these and all others."""

    def __init__(self, width, height):
        shape = (int(round(height / STEP)), int(round(width / STEP)))
        self.taken = np.ones(shape, dtype=bool)
        self.taken[RIM:-RIM, RIM:-RIM] = False
        self.labels = np.zeros(shape, dtype=bool)
        self.x, self.y = ((np.arange(n) + 0.5) * STEP for n in shape[::-1])

    def take_polygons(self, polygons, margin=0.0):
        """Take the cells inside polygons (lists of rings, the outer one first) and within `margin`."""
        from matplotlib.path import Path

        inside = np.zeros_like(self.taken)
        for outer in (polygon[0] for polygon in polygons):
            rows, columns = (
                np.flatnonzero((line >= outer[:, axis].min()) & (line <= outer[:, axis].max()))
                for line, axis in ((self.y, 1), (self.x, 0))
            )
            points = np.stack(np.meshgrid(self.x[columns], self.y[rows]), axis=-1).reshape(-1, 2)
            if len(points):
                inside[np.ix_(rows, columns)] |= Path(outer).contains_points(points).reshape(len(rows), len(columns))
        reach = int(np.ceil(margin / STEP))
        for axis in (0, 1):
            inside = np.any([shifted(inside, by, axis) for by in range(-reach, reach + 1)], axis=0)
        self.taken |= inside

    def take_disc(self, centre, radius):
        """Take the cells within `radius` of a point."""
        far = np.hypot(self.x[None, :] - centre[0], self.y[:, None] - centre[1])
        self.taken |= far <= radius

    def take_label(self, centre, size, margin=0.0):
        """Take the box of a label for good."""
        half = np.array(size) / 2 + margin
        box = (np.abs(self.x[None, :] - centre[0]) <= half[0]) & (np.abs(self.y[:, None] - centre[1]) <= half[1])
        self.labels |= box
        self.taken |= box

    def take_line(self, start, end):
        """Take the cells along a leader, so that no later label covers it."""
        for x, y in dense(np.array([start, end]), STEP, closed=False):
            row, column = int(y / STEP), int(x / STEP)
            if 0 <= row < self.taken.shape[0] and 0 <= column < self.taken.shape[1]:
                self.taken[row, column] = True

    def nearest(self, anchor, size, gap):
        """The centre of the free box of this size nearest to the anchor, at least `gap` away; None if none.

        Its leader may not run through another label.
        """
        rows, columns = (int(np.ceil(length / STEP)) for length in size[::-1])
        if rows >= self.taken.shape[0] or columns >= self.taken.shape[1]:
            return None
        total = np.pad(self.taken.astype(int).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
        count = total[rows:, columns:] - total[:-rows, columns:] - total[rows:, :-columns] + total[:-rows, :-columns]
        row, column = np.nonzero(count == 0)
        centres = np.stack([(column + columns / 2) * STEP, (row + rows / 2) * STEP], axis=1)
        away = np.hypot(*(np.maximum(np.abs(centres - anchor) - np.array(size) / 2, 0)).T)
        for i in np.argsort(np.where(away < gap, np.inf, away), kind="stable"):
            if away[i] < gap:
                return None
            if not self._crosses_label(edge_point(centres[i], size, anchor), anchor):
                return centres[i]
        return None

    def _crosses_label(self, start, end):
        way = dense(np.array([start, end]), STEP, closed=False)
        rows = np.clip((way[:, 1] / STEP).astype(int), 0, self.labels.shape[0] - 1)
        columns = np.clip((way[:, 0] / STEP).astype(int), 0, self.labels.shape[1] - 1)
        return bool(self.labels[rows, columns].any())


def dense(line, step, closed=True):
    """The line with points added so that no two neighbours are farther apart than `step`."""
    ends = np.roll(line, -1, axis=0) if closed else line[1:]
    parts = []
    for a, b in zip(line, ends):
        n = max(1, int(np.ceil(np.hypot(*(b - a)) / step)))
        parts.append(a + (b - a) * (np.arange(n) / n)[:, None])
    return np.concatenate(parts if closed else [*parts, line[-1:]])


def edge_point(centre, size, target):
    """The point of a box's edge nearest to a target outside of it."""
    half = np.array(size) / 2
    return np.clip(np.array(target), centre - half, centre + half)


def shifted(mask, by, axis):
    """The mask moved by some cells along an axis; what leaves it is lost."""
    result = np.roll(mask, by, axis)
    lost = slice(0, by) if by > 0 else slice(mask.shape[axis] + by, None)
    if by:
        result[(lost, slice(None)) if axis == 0 else (slice(None), lost)] = False
    return result


def roomiest(polygon, size, obstacles=()):
    """(centre, scale): where a box of this size fits best inside a polygon, and how much larger it could be.

    polygon: rings; obstacles: more rings whose lines the box should not cross. Scale < 1: it does not fit.
    """
    from matplotlib.path import Path

    outer, half = polygon[0], np.array(size) / 2
    low, high = outer.min(axis=0), outer.max(axis=0)
    near = [ring for ring in obstacles if (ring.max(axis=0) > low).all() and (ring.min(axis=0) < high).all()]
    edge = np.concatenate([dense(ring, 0.04) for ring in [*polygon, *near]]) / half
    centre, scale = outer.mean(axis=0), 0.0
    for _ in range(2):  # a coarse grid, then a fine one about its best point
        grid = np.meshgrid(*(np.linspace(a, b, 24) for a, b in zip(low, high)))
        points = np.stack(grid, axis=-1).reshape(-1, 2)
        points = points[Path(outer).contains_points(points)]
        if len(points):
            room = np.abs(edge[None] - (points / half)[:, None]).max(axis=2).min(axis=1)
            if room.max() > scale:
                centre, scale = points[int(np.argmax(room))], float(room.max())
        span = (high - low) / 12
        low, high = centre - span, centre + span
    return centre, scale
