"""Our soil under a MuJoCo model: wheels and feet of the model touch a `touchdown.soil.Ground` through `xfrc_applied`.

    ground = touchdown.soil.Ground.of_scenario("rover-drawbar-pull")
    soil = touchdown.mujoco.Soil(model, ground, {"front_left": "wheel_front_left", ...})
    while data.time < 10:
        data.ctrl[:] = ...
        soil.step(data)                       # instead of mujoco.mj_step(model, data)

Soil is stiff: a wheel that stands on loaded sand oscillates at hundreds of hertz, and friction that reverses within millimetres per second is stiffer still. A wrench that is held
over a step of 1 ms would blow up. So the wrench is taken at the end of the step, to first order, with the derivatives that the ground gives: `W(k+1) = W(k) + K h v(k+1) + D (v(k+1) − v(k))`.
That is one small linear system in the model's velocities, solved here; MuJoCo then makes its own step with the wrenches that belong to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .soil import Ground

__all__ = ["Soil"]


class Soil:
    """Couples bodies of a model to the contacts of a ground. The origin and axes of each body are those of the contact: a wheel turns about the y axis of its body."""

    def __init__(self, model: Any, ground: Ground, bodies: Mapping[str, str]) -> None:
        import mujoco

        if model.opt.integrator not in (mujoco.mjtIntegrator.mjINT_EULER, mujoco.mjtIntegrator.mjINT_IMPLICITFAST):
            raise ValueError('the model must use <option integrator="implicitfast"/> or "Euler": the soil is coupled to one evaluation per step')
        if set(bodies) != set(ground.contacts):
            raise ValueError(f"bodies must name a body of the model for each contact {list(ground.contacts)}, found {list(bodies)}")
        self._mujoco, self._model, self.ground = mujoco, model, ground
        self._ids = np.array([model.body(bodies[name]).id for name in ground.contacts])
        n = len(self._ids)
        self._jacobians = np.zeros((n, 6, model.nv))
        self._mass = np.zeros((model.nv, model.nv))
        self.wrenches: NDArray[np.float64] = np.zeros((n, 6))
        """What the soil did to each body in the last step: torque about its origin, then force, world axes."""
        self.poses: NDArray[np.float64] = np.zeros((n, 7))
        """Poses at the start of the last step, as the ground saw them."""
        self.velocities: NDArray[np.float64] = np.zeros((n, 6))
        """Velocities at the start of the last step."""

    def step(self, data: Any) -> None:
        """One step of the model on the soil, in place of `mj_step`."""
        mj, model, h = self._mujoco, self._model, self._model.opt.timestep
        mj.mj_step1(model, data)
        for k, body in enumerate(self._ids):
            mj.mj_jacBody(model, data, self._jacobians[k, 3:], self._jacobians[k, :3], body)
        J = self._jacobians
        self.poses[:, :3], self.poses[:, 3:] = data.xpos[self._ids], data.xquat[self._ids]
        np.matmul(J, data.qvel, out=self.velocities)
        W, K, D = self.ground.evaluate_with_slopes(self.poses, self.velocities)
        self.ground.advance(h)
        # The wrench at the end of the step is W + b + A h (J dv/dt).
        A = D + h * K
        b = h * np.einsum("nij,nj->ni", K, self.velocities)
        self._apply(data, W + b)
        mj.mj_fwdActuation(model, data)
        mj.mj_fwdAcceleration(model, data)
        mj.mj_fullM(model, data, self._mass)
        implicit = self._mass - h * np.einsum("nia,nij,njb->ab", J, A, J, optimize=True)
        implicit[np.diag_indices(model.nv)] += h * self._damping(data)
        acceleration = np.linalg.solve(implicit, self._mass @ data.qacc_smooth)
        self.wrenches = W + b + h * np.einsum("nij,nj->ni", A, J @ acceleration)
        self._apply(data, self.wrenches)
        mj.mj_step2(model, data)

    def _apply(self, data: Any, wrenches: NDArray[np.float64]) -> None:
        """Wrenches about origins as MuJoCo takes them: force, then torque about the centre of mass."""
        arms = data.xipos[self._ids] - data.xpos[self._ids]
        data.xfrc_applied[self._ids, :3] = wrenches[:, 3:]
        data.xfrc_applied[self._ids, 3:] = wrenches[:, :3] - np.cross(arms, wrenches[:, 3:])

    def _damping(self, data: Any) -> NDArray[np.float64]:
        """What MuJoCo's own implicit step takes as damping of each velocity: joints, and velocity feedback of actuators that are not at their limit."""
        model = self._model
        damping = np.array(model.dof_damping, dtype=float)
        joint = model.actuator_trntype == self._mujoco.mjtTrn.mjTRN_JOINT
        limits, force = model.actuator_forcerange, data.actuator_force
        free = ~model.actuator_forcelimited.astype(bool) | ((force > limits[:, 0]) & (force < limits[:, 1]))
        acts = joint & free & (model.opt.integrator == self._mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
        dofs = model.jnt_dofadr[model.actuator_trnid[acts, 0]]
        np.add.at(damping, dofs, -model.actuator_biasprm[acts, 2] * model.actuator_gear[acts, 0] ** 2)
        return damping
