"""Where the names of points go: beside their point, over no point and no other name, inside the plot.

All lengths in inches. A name is tried at many places about its point; each place costs its distance, what
makes it ambiguous (another point is nearer) and what its leader would cross. Names are set one after the
other, the crowded ones first, and then moved in turn as long as one finds a cheaper place. Nothing is drawn
by chance. (adjustText, tried first, left names over points and over each other where points are dense.)
"""

import numpy as np

GAP = 0.07  # from a point to its name
RADIUS = 0.06  # of a point, with some air
ANGLES = np.radians(np.arange(0, 360, 15))
DISTANCES = np.concatenate([np.arange(GAP, 0.6, 0.05), np.arange(0.6, 3.0, 0.2)])
FORBIDDEN = 100.0  # cost of covering something or leaving the plot
KEPT, ROUNDS = 160, 20


def place(anchors, sizes, area, lines=(), others=()):
    """The centre of each name, an array (n, 2).

    anchors: (n, 2), the points; sizes: (n, 2), widths and heights of the names; area: (width, height);
    lines: segments (x0, y0, x1, y1) better not covered; others: (m, 2), more points not to be covered.
    """
    anchors, sizes = np.asarray(anchors, float).reshape(-1, 2), np.asarray(sizes, float).reshape(-1, 2)
    points = np.concatenate([anchors, np.asarray(others, float).reshape(-1, 2)])
    crowd = [-(np.hypot(*(points - a).T) < 0.8).sum() for a in anchors]
    order = np.argsort(crowd, kind="stable")
    options = [_options(a, s) for a, s in zip(anchors, sizes)]
    fixed = [
        _fixed_cost(i, options[i], anchors[i], sizes[i], points, np.asarray(area, float), lines)
        for i in range(len(anchors))
    ]
    for i, cost in enumerate(fixed):  # the places that could be taken at all
        kept = np.argsort(cost, kind="stable")[:KEPT]
        options[i], fixed[i] = options[i][kept], cost[kept]
    centres = {}
    for _ in range(ROUNDS):
        before = dict(centres)
        for i in order:
            rest = [(centres[j], sizes[j], anchors[j]) for j in centres if j != i]
            cost = fixed[i] + _cost_beside(options[i], sizes[i], anchors[i], rest)
            centres[i] = tuple(options[i][int(np.argmin(cost))])
        if centres == before:
            break
    return np.array([centres[i] for i in range(len(anchors))]).reshape(-1, 2)


def leader(centre, size, anchor, points):
    """The segment (start, end) that ties a name to its point, or None where that is plain without it."""
    away = _gap(np.array(centre), np.array(size), np.array(anchor))
    strangers = [_gap(np.array(centre), np.array(size), np.array(p)) for p in points if tuple(p) != tuple(anchor)]
    if away <= GAP + 0.03 and (not strangers or min(strangers) > away + 0.05):
        return None
    return _edge(np.array(centre), np.array(size), np.array(anchor)), anchor


def _options(anchor, size):
    """Centres at which the name's box touches a circle of each size about the point, in each direction."""
    direction = np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1)
    touch = anchor + DISTANCES[:, None, None] * direction[None]
    inward = np.sign(np.round(direction, 9)) * np.asarray(size) / 2  # the corner or side that faces the point
    return (touch + inward[None]).reshape(-1, 2)


def _gap(centre, size, point):
    """Distance from a point to a box (0 inside); centres (..., 2)."""
    return np.hypot(*np.moveaxis(np.maximum(np.abs(centre - point) - size / 2, 0), -1, 0))


def _edge(centre, size, point):
    return np.clip(point, centre - size / 2, centre + size / 2)


def _fixed_cost(i, options, anchor, size, points, area, lines):
    out = (options - size / 2 < 0).any(axis=1) | (options + size / 2 > area).any(axis=1)
    away = _gap(options, size, anchor)
    cost = FORBIDDEN * out + away
    for j, point in enumerate(points):
        near = _gap(options, size, point)
        cost += FORBIDDEN * (near < RADIUS)
        if j != i:
            cost += np.minimum(1.5 * np.maximum(away + 0.08 - near, 0), 0.15)  # its leader then says whose it is
            cost += 0.6 * (_to_segment(point, _edge(options, size, anchor), anchor) < RADIUS) * (away > GAP + 0.03)
    for x0, y0, x1, y1 in lines:
        low, high = np.array([min(x0, x1), min(y0, y1)]), np.array([max(x0, x1), max(y0, y1)])
        cost += 0.25 * ((options - size / 2 < high).all(axis=1) & (options + size / 2 > low).all(axis=1))
    return cost


def _cost_beside(options, size, anchor, rest):
    cost = np.zeros(len(options))
    start = _edge(options, size, anchor)
    for centre, other, its_anchor in rest:
        cost += FORBIDDEN * (np.abs(options - centre) < (size + other) / 2 + (0.03, 0.005)).all(axis=1)
        its_start = _edge(np.array(centre), other, its_anchor)
        steps = np.linspace(0, 1, 12)[:, None]
        own = start[:, None] + steps * (anchor - start)[:, None]  # (options, steps, 2)
        cost += 2.0 * (np.abs(own - centre) < other / 2).all(axis=2).any(axis=1)
        theirs = its_start + steps * (its_anchor - its_start)
        cost += 2.0 * (np.abs(theirs[None] - options[:, None]) < size / 2).all(axis=2).any(axis=1)
        cost += 2.0 * _cross(start, anchor, its_start, its_anchor)
    return cost


def _to_segment(point, start, end):
    """Distance of a point to segments from `start` (n, 2) to `end`."""
    along = end - start
    length = np.maximum((along**2).sum(axis=1), 1e-12)
    t = np.clip(((point - start) * along).sum(axis=1) / length, 0, 1)
    return np.hypot(*(start + t[:, None] * along - point).T)


def _cross(start, end, a, b):
    """Whether the segments from `start` (n, 2) to `end` cross the one from a to b."""

    def side(p, q, r):
        return (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1]) - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0])

    return (side(start, end, a) * side(start, end, b) < 0) & (side(a, b, start) * side(a, b, end) < 0)
