"""Read by the type checker only: what users write has the types that the stubs promise."""

import numpy as np
from numpy.typing import NDArray

import touchdown


def check() -> None:
    sim: touchdown.Simulation = touchdown.load("single-wheel", slip=0.2, set={"terrain.spacing": "5 mm"})
    sim.inputs["motor"] = 0.3
    seen: NDArray[np.float64] = sim.observe(["soil.wheel.sinkage_m"])
    value: float = sim["soil.wheel.sinkage_m"] + float(seen[0])
    state: touchdown.State = sim.save()
    sim.restore(state)
    run: touchdown.Run = sim.fork().run(lambda s: {"motor": value * s.time}, dt=0.02)
    print(run.quantities["drawbar_pull_n"], run.time)
