#!/usr/bin/env python3
"""Writes the low-polygon models of the built-in machines into scenarios/machines, as OBJ files in metres.

They are for display alone: masses, inertias and contact follow from the machine files. Needs nothing but Python.
"""
from math import cos, pi, sin
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "scenarios" / "machines"


class Model:
    """Corners and faces; faces are turned outwards, counted from zero."""

    def __init__(self):
        self.corners, self.faces = [], []

    def add(self, corners, faces):
        first = len(self.corners)
        self.corners += corners
        self.faces += [[first + k for k in face] for face in faces]
        return self

    def loft(self, rings):
        """Rings of equally many corners, counterclockwise seen from the end; both ends are closed."""
        n = len(rings[0])
        corners = [corner for ring in rings for corner in ring]
        faces = [list(range(n))[::-1], [(len(rings) - 1) * n + k for k in range(n)]]
        for r in range(len(rings) - 1):
            for k in range(n):
                a, b = r * n + k, r * n + (k + 1) % n
                faces.append([a, b, b + n, a + n])
        return self.add(corners, faces)

    def box(self, low, high):
        (x0, y0, z0), (x1, y1, z1) = low, high
        ring = lambda z: [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)]
        return self.loft([ring(z0), ring(z1)])

    def turned(self, profile, axis="z", at=(0.0, 0.0, 0.0), sides=16):
        """A body of revolution: points (place along the axis, radius)."""
        place = {
            "z": lambda a, r, t: (at[0] + r * cos(t), at[1] + r * sin(t), at[2] + a),
            "x": lambda a, r, t: (at[0] + a, at[1] + r * cos(t), at[2] + r * sin(t)),
            "y": lambda a, r, t: (at[0] + r * sin(t), at[1] + a, at[2] + r * cos(t)),
        }[axis]
        rings = [[place(a, r, 2 * pi * k / sides) for k in range(sides)] for a, r in profile]
        return self.loft(rings)

    def write(self, name, what):
        lines = [f"# {what}; for display. Written by scripts/machine_models.py."]
        lines += ["v " + " ".join(f"{round(c, 5) + 0.0:g}" for c in corner) for corner in self.corners]
        lines += ["f " + " ".join(str(k + 1) for k in face) for face in self.faces]
        (FOLDER / f"{name}.obj").write_text("\n".join(lines) + "\n")


def octagon(x, y, cut, z):
    """A rectangle of these half sizes with its corners cut off."""
    return [(x, -y + cut, z), (x, y - cut, z), (x - cut, y, z), (-x + cut, y, z), (-x, y - cut, z), (-x, -y + cut, z), (-x + cut, -y, z), (x - cut, -y, z)]


def leaning(low, high, rise):
    """A plate whose side at high y lies higher by `rise`."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    bottom = [(x0, y0, z0), (x1, y0, z0), (x1, y1, z0 + rise), (x0, y1, z0 + rise)]
    return [bottom, [(x, y, z + z1 - z0) for x, y, z in bottom]]


def mirrored(rings):
    return [[(x, -y, z) for x, y, z in reversed(ring)] for ring in rings]


def rover():
    hull = Model().loft([octagon(0.46, 0.32, 0.06, -0.03), octagon(0.56, 0.44, 0.08, 0.13), octagon(0.57, 0.46, 0.08, 0.36)])
    hull.box((0.56, -0.26, 0.04), (0.66, 0.30, 0.20))
    hull.write("rover-hull", "Hull and drill of a rover")
    deck = Model().loft([octagon(0.58, 0.47, 0.08, 0.362), octagon(0.58, 0.47, 0.08, 0.378)])
    side = leaning((-0.50, 0.49, 0.374), (0.28, 0.98, 0.386), 0.05)
    deck.loft(side).loft(mirrored(side))
    deck.write("rover-deck", "Solar panels of a rover")
    mast = Model().turned([(0.378, 0.045), (0.42, 0.03), (0.92, 0.026)], at=(0.42, 0.0, 0.0), sides=12)
    mast.box((0.36, -0.17, 0.92), (0.47, 0.17, 1.01))
    for y in (-0.12, 0.12):
        mast.turned([(0.47, 0.032), (0.51, 0.032)], axis="x", at=(0.0, y, 0.965), sides=12)
    mast.write("rover-mast", "Mast with cameras of a rover")


def satellites():
    olev = Model().loft([octagon(0.62, 0.62, 0.18, -0.8), octagon(0.8, 0.8, 0.24, -0.68), octagon(0.8, 0.8, 0.24, 0.72), octagon(0.66, 0.66, 0.2, 0.8)])
    olev.write("olev-hub", "Hub of SMART-OLEV")
    parts = Model().turned([(-0.90, 0.46), (-0.80, 0.46)], sides=24)
    for sign in (-1.0, 1.0):
        parts.box((sign * 0.812 - 0.012, -0.48, -0.55), (sign * 0.812 + 0.012, 0.48, 0.55))
    for azimuth in (90.0, 210.0, 330.0):
        x, y = 0.64 * cos(azimuth * pi / 180), 0.64 * sin(azimuth * pi / 180)
        parts.turned([(0.74, 0.05), (1.22, 0.035)], at=(x, y, 0.0), sides=10)
    parts.turned([(0.80, 0.09), (0.93, 0.11)], axis="z", at=(0.36, 0.36, 0.0), sides=14)
    parts.turned([(0.80, 0.05), (0.95, 0.06)], axis="z", at=(-0.36, 0.30, 0.0), sides=12)
    parts.turned([(0.80, 0.05), (0.95, 0.06)], axis="z", at=(-0.36, -0.30, 0.0), sides=12)
    parts.write("olev-parts", "Radiators, supports, cameras and launch ring of SMART-OLEV")
    client = Model().loft([octagon(0.9, 0.8, 0.14, -1.0), octagon(1.1, 1.0, 0.16, -0.9), octagon(1.1, 1.0, 0.16, 0.86), octagon(0.95, 0.85, 0.14, 0.95)])
    client.write("spacebus-hub", "Hub of a communication satellite")
    dishes = Model()
    bowl = [(0.0, 0.10), (0.05, 0.42), (0.16, 0.78), (0.26, 1.0), (0.285, 1.0), (0.19, 0.78), (0.085, 0.42), (0.04, 0.10)]
    dishes.turned([(a + 1.45, r) for a, r in bowl], axis="x", at=(0.0, 0.0, -0.1), sides=24)
    dishes.turned([(-a - 1.45, r) for a, r in reversed(bowl)], axis="x", at=(0.0, 0.0, -0.1), sides=24)
    for sign in (-1.0, 1.0):
        dishes.turned(sorted([(sign * 1.08, 0.08), (sign * 1.5, 0.05)]), axis="x", at=(0.0, 0.0, -0.1), sides=10)
    dishes.turned([(-1.45, 0.16), (-1.0, 0.30)], sides=16)
    dishes.write("spacebus-dishes", "Antennas of a communication satellite")


def hexapod():
    body = Model().loft([octagon(0.25, 0.11, 0.06, -0.05), octagon(0.28, 0.14, 0.07, -0.02), octagon(0.28, 0.14, 0.07, 0.03), octagon(0.22, 0.10, 0.05, 0.055)])
    body.turned([(0.055, 0.05), (0.08, 0.05), (0.095, 0.03)], at=(0.14, 0.0, 0.0), sides=12)
    body.write("hexapod-body", "Body of a six-legged machine")
    square = lambda x, y, z: [(x, -y, -z), (x, y, -z), (x, y, z), (x, -y, z)]
    femur = Model().loft([square(0.0, 0.016, 0.024), square(0.05, 0.022, 0.032), square(0.16, 0.018, 0.022), square(0.2, 0.016, 0.018)])
    for x, r in ((0.0, 0.032), (0.2, 0.026)):
        femur.turned([(-0.028, r), (0.028, r)], axis="y", at=(x, 0.0, 0.0), sides=14)
    femur.write("hexapod-femur", "Upper leg of a six-legged machine")
    tibia = Model().loft([square(0.0, 0.014, 0.020), square(0.06, 0.016, 0.026), square(0.22, 0.009, 0.010), square(0.25, 0.007, 0.007)])
    tibia.write("hexapod-tibia", "Lower leg of a six-legged machine")


if __name__ == "__main__":
    rover()
    satellites()
    hexapod()
