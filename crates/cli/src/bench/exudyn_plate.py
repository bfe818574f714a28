"""Times Exudyn's implicit step on a soft free plate of 8 x 8 thin ANCF elements. Reads a number of steps a line, answers with CPU seconds for them."""

import math
import sys
import time

import exudyn
import numpy as np
from exudyn.itemInterface import NodePointSlope12, ObjectANCFThinPlate

STEP = 1e-3  # s
COUNT, SIZE, THICKNESS, YOUNG, POISSON, DENSITY = 8, 0.3, 0.01, 1e5, 0.3, 7810.0
ROLLED = math.radians(5)  # angle of the arc at the start

system = exudyn.SystemContainer()
mbs = system.AddSystem()
curvature = ROLLED / SIZE
nodes = []
for i in range(COUNT + 1):
    for j in range(COUNT + 1):
        x, y = SIZE * i / COUNT, SIZE * j / COUNT
        at = curvature * (x - SIZE / 2)
        flat = np.array([x, y, 0, 1, 0, 0, 0, 1, 0])
        arc = [SIZE / 2 + math.sin(at) / curvature, y, (1 - math.cos(at)) / curvature]
        start = np.array(arc + [math.cos(at), 0, math.sin(at), 0, 1, 0])
        nodes.append(mbs.AddNode(NodePointSlope12(referenceCoordinates=flat, initialCoordinates=start - flat)))
plane = YOUNG / (1 - POISSON**2) * np.array([[1, POISSON, 0], [POISSON, 1, 0], [0, 0, (1 - POISSON) / 2]])
membrane, bending = exudyn.Matrix3DList(), exudyn.Matrix3DList()
membrane.Append(plane * THICKNESS)
bending.Append(plane * THICKNESS**3 / 12)
for i in range(COUNT):
    for j in range(COUNT):
        corner = i * (COUNT + 1) + j
        mbs.AddObject(
            ObjectANCFThinPlate(
                thickness=[THICKNESS],
                density=DENSITY,
                useReducedOrderIntegration=1,  # the faster one, by far
                strainCoefficients=membrane,
                curvatureCoefficients=bending,
                nodeNumbers=[nodes[k] for k in (corner, corner + COUNT + 1, corner + COUNT + 2, corner + 1)],
            )
        )
mbs.Assemble()
settings = exudyn.SimulationSettings()
settings.timeIntegration.verboseMode = 0
settings.timeIntegration.generalizedAlpha.spectralRadius = 1.0
settings.timeIntegration.newton.useModifiedNewton = True
settings.solutionSettings.writeSolutionToFile = False
settings.solutionSettings.sensorsWritePeriod = 1e6
settings.linearSolverType = exudyn.LinearSolverType.EigenSparse
settings.parallel.numberOfThreads = 1


def advance(steps):
    settings.timeIntegration.numberOfSteps = steps
    settings.timeIntegration.endTime = steps * STEP
    before = time.process_time()
    mbs.SolveDynamic(settings)
    return time.process_time() - before


advance(10)
print("Exudyn", exudyn.__version__, flush=True)
for line in sys.stdin:
    # Every round begins at the start; what the solver prepares counts, which is little against its steps.
    print(advance(int(line)), flush=True)
