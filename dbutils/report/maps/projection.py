"""Equal-area map projections: degrees to the plane (unit: earth radii). lon, lat: numbers or arrays."""

import numpy as np


def equal_earth(lon, lat):
    """Equal Earth (Šavrič, Patterson and Jenny 2019, doi:10.1080/13658816.2018.1504949)."""
    a1, a2, a3, a4 = 1.340264, -0.081106, 0.000893, 0.003796
    root = np.sqrt(3) / 2
    t = np.arcsin(root * np.sin(np.radians(lat)))
    slope = 9 * a4 * t**8 + 7 * a3 * t**6 + 3 * a2 * t**2 + a1
    x = np.radians(lon) * np.cos(t) / (root * slope)
    return x, t * (a1 + a2 * t**2 + t**6 * (a3 + a4 * t**2))


def azimuthal(lon, lat, lon0=20.0, lat0=50.0):
    """Lambert's azimuthal equal-area projection about a centre (the middle of Europe)."""
    lam, phi, phi0 = np.radians(lon - lon0), np.radians(lat), np.radians(lat0)
    k = np.sqrt(2 / (1 + np.sin(phi0) * np.sin(phi) + np.cos(phi0) * np.cos(phi) * np.cos(lam)))
    x = k * np.cos(phi) * np.sin(lam)
    return x, k * (np.cos(phi0) * np.sin(phi) - np.sin(phi0) * np.cos(phi) * np.cos(lam))
