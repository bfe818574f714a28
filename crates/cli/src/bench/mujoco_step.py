"""Times MuJoCo's step on the rover. Reads a number of steps a line, answers with CPU seconds for them."""

import sys
import time

import mujoco

WHEEL_SPEED = 0.3  # rad/s
WARM_UP = 5000  # steps: settled and rolling

model = mujoco.MjModel.from_xml_string(sys.argv[1])
assert model.opt.timestep == 0.001 and model.opt.integrator == mujoco.mjtIntegrator.mjINT_EULER
data = mujoco.MjData(model)
for i in range(model.nu):
    if model.actuator(i).name.startswith("drv"):
        data.ctrl[i] = WHEEL_SPEED
mujoco.mj_step(model, data, nstep=WARM_UP)
print("MuJoCo", mujoco.__version__, flush=True)
for line in sys.stdin:
    before = time.process_time()
    mujoco.mj_step(model, data, nstep=int(line))
    print(time.process_time() - before, flush=True)
