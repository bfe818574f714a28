"""Times Drake's step on a probe in a cone with hydroelastic contact. Reads a number of steps a line, answers with CPU seconds for them."""

import math
import os
import sys
import tempfile
import time
from importlib.metadata import version

from pydrake.geometry import (
    AddCompliantHydroelasticProperties,
    AddContactMaterial,
    AddRigidHydroelasticProperties,
    Convex,
    Mesh,
    ProximityProperties,
)
from pydrake.math import RigidTransform
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, ContactModel, CoulombFriction
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

STEP = 1e-3  # s
WARM_UP = 500  # steps: at rest
SEGMENTS, STRIPS = 32, 8  # 512 faces
TIP, LENGTH, THROAT, EXIT, HALF_ANGLE = 0.03, 0.07, 0.02, 0.08, math.radians(15)  # m, rad


def lateral(r0, z0, z1, strips, outward):
    """Corners and triangles of a cone's round side."""
    slope = math.tan(HALF_ANGLE)
    corners, faces = [], []
    for ring in range(strips + 1):
        z = z0 + (z1 - z0) * ring / strips
        r = r0 + (z - z0) * slope
        for k in range(SEGMENTS):
            a = 2 * math.pi * k / SEGMENTS
            corners.append((r * math.cos(a), r * math.sin(a), z))
    for ring in range(strips):
        for k in range(SEGMENTS):
            a, b = ring * SEGMENTS + k, ring * SEGMENTS + (k + 1) % SEGMENTS
            c, d = a + SEGMENTS, b + SEGMENTS
            faces += [(a, b, d), (a, d, c)] if outward else [(a, d, b), (a, c, d)]
    return corners, faces


def write(path, corners, faces):
    with open(path, "w") as out:
        out.writelines(f"v {x} {y} {z}\n" for x, y, z in corners)
        out.writelines(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces)


folder = tempfile.TemporaryDirectory()  # lives as long as this program
probe_file, nozzle_file = (os.path.join(folder.name, name) for name in ("probe.obj", "nozzle.obj"))
corners, faces = lateral(TIP, 0.0, LENGTH, 1, True)
bottom, top = len(corners), len(corners) + 1
corners += [(0, 0, 0), (0, 0, LENGTH)]
for k in range(SEGMENTS):
    j = (k + 1) % SEGMENTS
    faces += [(bottom, j, k), (top, SEGMENTS + k, SEGMENTS + j)]
write(probe_file, corners, faces)
write(nozzle_file, *lateral(THROAT, 0.0, (EXIT - THROAT) / math.tan(HALF_ANGLE), STRIPS, False))

builder = DiagramBuilder()
plant, _ = AddMultibodyPlantSceneGraph(builder, time_step=STEP)
plant.set_contact_model(ContactModel.kHydroelastic)
probe = plant.AddRigidBody("probe", SpatialInertia(20.0, [0, 0, 0.3], UnitInertia(0.19, 0.19, 0.025)))


def properties(rigid):
    out = ProximityProperties()
    AddContactMaterial(dissipation=1.0, friction=CoulombFriction(0.3, 0.3), properties=out)
    if rigid:
        AddRigidHydroelasticProperties(0.01, out)
    else:
        AddCompliantHydroelasticProperties(0.01, 3e7, out)
    return out


plant.RegisterCollisionGeometry(probe, RigidTransform(), Convex(probe_file), "probe", properties(False))
plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), Mesh(nozzle_file), "nozzle", properties(True))
plant.Finalize()
diagram = builder.Build()
simulator = Simulator(diagram)
context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
plant.SetFreeBodyPose(context, probe, RigidTransform([0, 0, (TIP - THROAT) / math.tan(HALF_ANGLE) - 1e-4]))
now = 0.0


def advance(steps):
    global now
    now += steps * STEP
    simulator.AdvanceTo(now)


advance(WARM_UP)
results = plant.get_contact_results_output_port().Eval(context)
faces = sum(
    results.hydroelastic_contact_info(i).contact_surface().num_faces()
    for i in range(results.num_hydroelastic_contacts())
)
if faces == 0:
    sys.exit("the probe does not touch")
print("Drake", version("drake"), f"hydroelastic, {faces} faces", flush=True)
for line in sys.stdin:
    before = time.process_time()
    advance(int(line))
    print(time.process_time() - before, flush=True)
