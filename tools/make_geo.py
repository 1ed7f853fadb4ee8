"""Derive the outlines in data/geo from the packages that publish them.

Run from the project's root, with node's `npm` on the PATH: `python tools/make_geo.py`.
Fetches the pinned packages, checks their sha256, and writes data/geo/{switzerland,italy,world}.json.
The result is the same on every run. The format is described in data/geo/README.md.

Borders between two places are cut at the points where three meet and every piece is simplified once,
so that neighbours keep the very same line and no gap opens between them.
"""

import hashlib
import heapq
import io
import json
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import numpy as np

from dbutils import csvio

OUT = Path(__file__).resolve().parent.parent / "data" / "geo"

PACKAGES = {
    "swiss-maps": ("4.7.0", "5302805c536eef70e2001a8893ec66615a3e9e4ccf15eafe4a2215b50d39435e"),
    "@svg-maps/italy": ("2.0.0", "9b96026d27551da63cf46985e653f8efae388f401ff95488de8d3c5192ab92b8"),
    "world-atlas": ("2.0.2", "032e7765f2ce00edaeafec23ff22bc3b77e42987c257da944cc585b452c05b97"),
}

# The Federal Statistical Office numbers the cantons 1 to 26 in the order of the constitution.
CANTONS = [
    "ZH Zürich",
    "BE Bern",
    "LU Luzern",
    "UR Uri",
    "SZ Schwyz",
    "OW Obwalden",
    "NW Nidwalden",
    "GL Glarus",
    "ZG Zug",
    "FR Fribourg",
    "SO Solothurn",
    "BS Basel-Stadt",
    "BL Basel-Landschaft",
    "SH Schaffhausen",
    "AR Appenzell Ausserrhoden",
    "AI Appenzell Innerrhoden",
    "SG St. Gallen",
    "GR Graubünden",
    "AG Aargau",
    "TG Thurgau",
    "TI Ticino",
    "VD Vaud",
    "VS Valais",
    "NE Neuchâtel",
    "GE Genève",
    "JU Jura",
]

# English id in the package -> the region's name as the variety names spell it.
REGIONS = {
    "abruzzo": "abruzzo",
    "aosta-valley": "valle d'aosta",
    "apulia": "puglia",
    "basilicata": "basilicata",
    "calabria": "calabria",
    "campania": "campania",
    "emilia-romagna": "emilia-romagna",
    "friuli-venezia-giulia": "friuli-venezia giulia",
    "lazio": "lazio",
    "liguria": "liguria",
    "lombardy": "lombardia",
    "marche": "marche",
    "molise": "molise",
    "piedmont": "piemonte",
    "sardinia": "sardegna",
    "sicily": "sicilia",
    "trentino-south-tyrol": "trentino-alto adige/südtirol",
    "tuscany": "toscana",
    "umbria": "umbria",
    "veneto": "veneto",
}


# ---- fetching


def fetch(package, members):
    """The text of the named files of an npm package at its pinned version, checked by sha256."""
    version, sha256 = PACKAGES[package]
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", "--silent", f"{package}@{version}"]
        try:
            done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
        except (FileNotFoundError, subprocess.CalledProcessError) as error:
            raise SystemExit(f"{package}@{version}: {error}; needs node's npm and its registry") from None
        archive = Path(folder, done.stdout.split()[-1]).read_bytes()
    found = hashlib.sha256(archive).hexdigest()
    if found != sha256:
        raise SystemExit(f"{package}@{version}: sha256 {found}, expected {sha256}")
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        return [tar.extractfile(f"package/{member}").read().decode("utf-8") for member in members]


# ---- reading


def topojson_places(topology, layer):
    """{id: polygons} of one layer of a quantised, delta-encoded TopoJSON topology, in degrees."""
    scale, shift = (np.array(topology["transform"][key]) for key in ("scale", "translate"))
    arcs = [np.cumsum(np.array(arc), axis=0) * scale + shift for arc in topology["arcs"]]

    def ring(indices):
        # ~i stands for arc i walked backwards; each arc starts where the one before ended.
        pieces = [arcs[i] if i >= 0 else arcs[~i][::-1] for i in indices]
        return np.concatenate([piece[:-1] for piece in pieces])

    places = {}
    for geometry in topology["objects"][layer]["geometries"]:
        polygons = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        key = geometry.get("id", layer)
        places.setdefault(key, []).extend([ring(r) for r in polygon] for polygon in polygons)
    return places


def cut_at_180(polygons):
    """Polygons whose rings run over the 180th meridian, cut there into an eastern and a western part.

    TopoJSON rings live on the sphere, where going from 179.9 to -179.9 is a small step.
    """
    result = []
    for polygon in polygons:
        turned = [np.column_stack([np.unwrap(ring[:, 0], period=360), ring[:, 1]]) for ring in polygon]
        if all(np.allclose(a, b) for a, b in zip(turned, polygon)):
            result.append(polygon)
            continue
        turned = [ring - [360 * np.floor((ring[:, 0].mean() + 180) / 360), 0] for ring in turned]
        for shift in (-360, 0, 360):
            part = [clipped(clipped(ring + [shift, 0], -180, 1), 180, -1) for ring in turned]
            if len(part[0]) > 2:
                result.append([ring for ring in part if len(ring) > 2])
    return result


def clipped(ring, meridian, side):
    """The part of a ring east (side 1) or west (side -1) of a meridian (Sutherland and Hodgman's way)."""
    result = []
    for a, b in zip(np.roll(ring, 1, axis=0), ring):
        da, db = side * (a[0] - meridian), side * (b[0] - meridian)
        if da * db < 0:
            result.append(np.array([meridian, a[1] + (b[1] - a[1]) * da / (da - db)]))
        if db >= 0:
            result.append(b)
    return np.array(result).reshape(-1, 2)


def svg_rings(path):
    """The closed rings of an SVG path that consists of `m dx,dy dx,dy ... z` only."""
    if set(re.findall(r"[a-df-zA-Z]", path)) - {"m", "z"}:
        raise SystemExit(f"an SVG path with commands other than m and z: {path[:60]}")
    rings, start = [], np.zeros(2)
    for part in re.findall(r"m([^mz]+)z", path):
        steps = np.array([float(x) for x in re.findall(r"-?[\d.]+(?:e-?\d+)?", part)]).reshape(-1, 2)
        steps[0] += start
        points = steps.cumsum(axis=0)
        start = points[0]
        rings.append(points)
    return rings


def nested(rings):
    """Rings sorted into polygons: a ring inside another one is its hole."""
    rings = sorted(rings, key=lambda ring: -abs(area(ring)))
    polygons = []
    for ring in rings:
        around = next((polygon for polygon in polygons if inside(ring[0], polygon[0])), None)
        if around is None:
            polygons.append([ring])
        else:
            around.append(ring)
    return polygons


def area(ring):
    """Signed area of a ring (n, 2) in square units of its coordinates."""
    x, y = ring[:, 0], ring[:, 1]
    return 0.5 * float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def inside(point, ring):
    """True if the point lies inside the ring (even-odd rule)."""
    (x, y), a, b = point, ring, np.roll(ring, -1, axis=0)
    crosses = (a[:, 1] > y) != (b[:, 1] > y)
    a, b = a[crosses], b[crosses]
    return bool(np.sum(x < a[:, 0] + (y - a[:, 1]) * (b[:, 0] - a[:, 0]) / (b[:, 1] - a[:, 1])) % 2)


def snapped(places, distance):
    """The places with points nearer than `distance` to each other made one point.

    A drawing with rounded relative steps drifts, so that two neighbours miss each other by a little.
    """
    seen, cells = [], {}

    def snap(point):
        cell = tuple(np.floor(point / distance).astype(int))
        near = [i for dx in (-1, 0, 1) for dy in (-1, 0, 1) for i in cells.get((cell[0] + dx, cell[1] + dy), ())]
        best = min(near, key=lambda i: np.hypot(*(seen[i] - point)), default=None)
        if best is not None and np.hypot(*(seen[best] - point)) < distance:
            return seen[best]
        cells.setdefault(cell, []).append(len(seen))
        seen.append(point)
        return point

    return mapped(places, lambda ring: without_repeats(np.array([snap(point) for point in ring])))


def without_repeats(ring):
    return ring[np.any(ring != np.roll(ring, 1, axis=0), axis=1)]


def mapped(places, function):
    return {key: [[function(ring) for ring in polygon] for polygon in polygons] for key, polygons in places.items()}


# ---- simplifying


def simplified(places, tolerance, smallest, digits):
    """The places with fewer points and without specks, rounded; shared borders stay shared.

    tolerance: a point goes if the triangle with its neighbours is smaller (square units; Visvalingam).
    smallest: rings of a smaller area (square units) go, but never the largest of a place.
    """
    size = 10.0**-digits
    places = mapped(places, lambda ring: np.round(ring / size).astype(int))
    places = mapped(places, without_repeats)
    nodes = junctions(places)
    done = {}

    def simple(ring):
        points = [tuple(point) for point in ring]
        cuts = [i for i, point in enumerate(points) if point in nodes]
        if not cuts:
            # An island, or a place alone inside another one: cut at the same two far points from both sides.
            first = min(range(len(points)), key=lambda i: points[i])
            far = max(range(len(points)), key=lambda i: (np.hypot(*np.subtract(points[i], points[first])), points[i]))
            cuts = sorted((first, far))
        result = []
        for start, end in zip(cuts, cuts[1:] + [cuts[0] + len(points)]):
            chain = [points[i % len(points)] for i in range(start, end + 1)]
            way = chain if chain <= chain[::-1] else chain[::-1]
            line = done.setdefault(tuple(way), visvalingam(way, tolerance / size**2))
            result.extend((line if way is chain else line[::-1])[:-1])
        return np.array(result)

    places = mapped(places, simple)
    return {key: without_specks(polygons, smallest / size**2) for key, polygons in places.items()}


def without_specks(polygons, smallest):
    """Polygons, largest first, without rings of fewer than three points or of an area below `smallest`."""

    def big(ring):
        return len(ring) > 2 and abs(area(ring)) >= smallest

    polygons = sorted(polygons, key=lambda polygon: -abs(area(polygon[0])))
    kept = polygons[:1] + [polygon for polygon in polygons[1:] if big(polygon[0])]
    return [polygon[:1] + [hole for hole in polygon[1:] if big(hole)] for polygon in kept]


def junctions(places):
    """The points where a border begins or ends: those with other than two distinct neighbours."""
    beside = {}
    for polygons in places.values():
        for ring in (ring for polygon in polygons for ring in polygon):
            points = [tuple(point) for point in ring]
            for before, point, after in zip(points[-1:] + points, points, points[1:] + points[:1]):
                beside.setdefault(point, set()).update((before, after))
    return {point for point, around in beside.items() if len(around) != 2}


def visvalingam(line, smallest):
    """The line without the points whose triangle with their neighbours is below `smallest`; ends stay.

    A point stays too if another one of the line lies in its triangle: the line would cross itself.
    """
    points = np.array(line)
    before, after = list(range(-1, len(line) - 1)), list(range(1, len(line) + 1))
    there = np.ones(len(line), dtype=bool)

    def triangle(i):
        return abs(cross(points[i], points[before[i]], points[after[i]])) / 2

    def free(i):
        a, b, c = points[before[i]], points[i], points[after[i]]
        signs = [np.sign(cross(points, *side)) for side in ((a, b), (b, c), (c, a))]
        within = (np.abs(np.sum(signs, axis=0)) >= 2) & there
        within[[before[i], i, after[i]]] = False
        # A closed line has its first point twice.
        return not np.any(within & np.any(points != a, axis=1) & np.any(points != c, axis=1))

    current = {i: triangle(i) for i in range(1, len(line) - 1)}
    heap = [(size, i) for i, size in current.items()]
    heapq.heapify(heap)
    while heap and heap[0][0] < smallest:
        size, i = heapq.heappop(heap)
        if not there[i] or size != current[i] or not free(i):
            continue
        there[i] = False
        after[before[i]], before[after[i]] = after[i], before[i]
        for j in (before[i], after[i]):
            if 0 < j < len(line) - 1:
                current[j] = max(size, triangle(j))
                heapq.heappush(heap, (current[j], j))
    return [point for point, stays in zip(line, there) if stays]


def cross(p, a, b):
    """Twice the signed area of the triangle p, a, b (p may be many points, (n, 2))."""
    return (a[0] - p[..., 0]) * (b[1] - p[..., 1]) - (b[0] - p[..., 0]) * (a[1] - p[..., 1])


# ---- writing


def written(head, places, digits, extra=()):
    """The file's text: the head, then one line per ring."""
    size = 10.0**-digits

    def ring(points):
        pairs = (f"[{x * size:.{digits}f},{y * size:.{digits}f}]" for x, y in points)
        return f"[{','.join(pairs)}]"

    def layer(places, names):
        lines = []
        for key, polygons in places.items():
            body = ",\n".join("[" + ",\n".join(ring(r) for r in polygon) + "]" for polygon in polygons)
            lines.append(
                f'{json.dumps(key, ensure_ascii=False)}: {{"name": '
                f'{json.dumps(names[key], ensure_ascii=False)}, "polygons": [\n{body}]}}'
            )
        return "{\n" + ",\n".join(lines) + "\n}"

    layers = "".join(f',\n"{name}": {layer(*content)}' for name, content in [("places", places), *extra])
    return json.dumps(head, ensure_ascii=False, indent=1)[:-2] + layers + "\n}\n"


def head(title, package, member, **rest):
    version, sha256 = PACKAGES[package]
    return {"title": title, "package": package, "version": version, "sha256": sha256, "member": member, **rest}


def switzerland():
    member = "2024/ch-combined.json"
    topology = json.loads(fetch("swiss-maps", [member])[0])
    names = dict(canton.split(" ", 1) for canton in CANTONS)
    cantons = topojson_places(topology, "cantons")
    cantons = {key: cantons[number] for number, key in enumerate(names, start=1)}
    lakes = {str(key): value for key, value in topojson_places(topology, "lakes").items()}
    cantons = simplified(cantons, tolerance=2e-5, smallest=0, digits=4)
    lakes = {
        key: value
        for key, value in simplified(lakes, 2e-5, 0, 4).items()
        if sum(abs(area(polygon[0])) for polygon in value) * 1e-8 > 1e-3
    }
    top = head(
        "Cantons of Switzerland, 2024",
        "swiss-maps",
        member,
        licence="code of the package BSD-3-Clause; the geodata in it non-commercial use with attribution",
        attribution="Source: Bundesamt für Statistik (BFS), GEOSTAT; TopoJSON by Interactive Things",
        projection="longitude and latitude in degrees (WGS 84)",
        aspect=round(1 / np.cos(np.radians(46.8)), 4),
    )
    return written(top, (cantons, names), 4, [("water", (lakes, dict.fromkeys(lakes, "lake")))])


def italy():
    member = "index.js"
    drawing = json.loads(fetch("@svg-maps/italy", [member])[0].removeprefix("export default ").rstrip().rstrip(";"))
    height = float(drawing["viewBox"].split()[3])
    regions = {}
    for location in sorted(drawing["locations"], key=lambda location: REGIONS[location["id"]]):
        rings = [ring * [1, -1] + [0, height] for ring in svg_rings(location["path"])]
        regions[REGIONS[location["id"]]] = nested(rings)
    regions = simplified(snapped(regions, 0.3), tolerance=0.3, smallest=1.0, digits=1)
    names = {key: key.title().replace("D'", "d'") for key in regions}
    top = head(
        "Regions of Italy",
        "@svg-maps/italy",
        member,
        licence="CC BY 4.0",
        attribution="MapSVG (mapsvg.com/maps/italy), CC BY 4.0, through @svg-maps/italy by Victor Cazanave; "
        "simplified here",
        projection="units of the drawing, y upwards; the drawing does not name its projection",
        aspect=1.0,
    )
    return written(top, (regions, names), 1)


def world():
    member = "land-50m.json"
    land = topojson_places(json.loads(fetch("world-atlas", [member])[0]), "land")
    land["land"] = cut_at_180([polygon for polygon in land["land"] if polygon[0][:, 1].max() > -60])
    land = simplified(land, tolerance=0.03, smallest=0.02, digits=2)
    top = head(
        "Land of the world without Antarctica",
        "world-atlas",
        member,
        licence="package ISC; the map data of Natural Earth are in the public domain",
        attribution="Made with Natural Earth 4.1.0, through world-atlas by Michael Bostock; simplified here",
        projection="longitude and latitude in degrees (WGS 84)",
        aspect=1.0,
    )
    return written(top, (land, {"land": "land"}), 2)


def main():
    for name, make in (("switzerland", switzerland), ("italy", italy), ("world", world)):
        text = make()
        csvio.write_text(OUT / f"{name}.json", text)
        print(
            f"{name}.json: {len(text.encode())} bytes, {text.count('],[') + text.count(']],')} points", file=sys.stderr
        )


if __name__ == "__main__":
    main()
