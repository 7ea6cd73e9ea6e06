"""Loads MJCF in MuJoCo, compares it with the ragdoll, and drops the figure ten times."""

import mujoco
import numpy as np

from figure import conjugate, matrix, multiply, rotate

# A hundredth of the speed of a fall from the figure's size: the kinetic energy as a share of mass * gravity * size.
STILL = 1e-4
SECONDS = 10.0


def load(figure, path):
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    ids = [model.body(name).id for name in figure.names]
    assert model.nbody == len(ids) + 1, f"{model.nbody - 1} bodies, expected {len(ids)}"
    off = np.linalg.norm(data.xpos[ids] - figure.positions, axis=1).max()
    assert off <= 1e-5 * figure.size, f"a body is {off} m off the rest pose at qpos0"
    turn = np.abs((data.xquat[ids] * figure.rotations).sum(axis=1)).min()
    assert turn >= 1 - 1e-9, f"a body is turned away from the rest pose at qpos0: {turn}"
    for index, (body, at) in enumerate(zip(figure.bodies, ids)):
        assert np.isclose(model.body_mass[at], body["mass"], rtol=1e-6), body["name"]
        assert np.allclose(model.body_ipos[at], body["center_of_mass"], atol=1e-6 * figure.size), body["name"]
        axes, expected = matrix(model.body_iquat[at]), figure.inertia(index)
        found = axes @ np.diag(model.body_inertia[at]) @ axes.T
        assert np.allclose(found, expected, atol=2e-5 * np.trace(expected)), f"{body['name']}: {found}, {expected}"
    return model, data, ids


def fall(figure, model, data, ids, seed):
    random = np.random.default_rng(seed)
    mujoco.mj_resetData(model, data)
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    scale = figure.size / 1.7
    hinges = np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_HINGE)
    angles, limited = model.jnt_qposadr[hinges], model.jnt_limited[hinges] == 1
    low, high = (np.where(limited, model.jnt_range[hinges, side], (-1) ** (1 - side) * 1e9) for side in (0, 1))
    data.qpos[angles] = np.clip(data.qpos[angles], low, high)
    turn = random.normal(size=4)
    turn /= np.linalg.norm(turn)
    spin = random.uniform(-1, 1, 3) * 2 / figure.time
    free = np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE)
    first = data.qpos[model.jnt_qposadr[free[0]] :][:3].copy()
    for joint in free:
        at, speed = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
        arm = rotate(turn, data.qpos[at : at + 3] - first)
        data.qpos[at : at + 3] = first + arm
        rotation = multiply(turn, data.qpos[at + 3 : at + 7])
        data.qpos[at + 3 : at + 7] = rotation
        data.qvel[speed : speed + 3] = np.cross(spin, arm) + [figure.time, 0, 0]
        data.qvel[speed + 3 : speed + 6] = rotate(conjugate(rotation), spin)
    mujoco.mj_forward(model, data)
    floor = model.geom("floor").id
    low_z = lowest(model, data, floor)
    for joint in free:
        data.qpos[model.jnt_qposadr[joint] + 2] += scale + data.geom_xpos[floor, 2] - low_z
    unit = figure.mass * 9.81 * figure.size
    steps = int(SECONDS * max(figure.time, 1.0) / model.opt.timestep)
    result = dict(rest=None, apart=0.0, impact=0.0, hinge=0.0, end=0.0, far=0.0, energy=0.0, finite=True)
    last = int(1.0 * figure.time / model.opt.timestep)
    start = data.xpos[ids[0]].copy()
    for step in range(steps):
        mujoco.mj_step(model, data)
        energy = data.energy[1] / unit
        if not np.isfinite(data.qpos).all() or data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number:
            result["finite"] = False
            break
        if not energy <= STILL:
            result["rest"] = None
        elif result["rest"] is None:
            result["rest"] = step * model.opt.timestep / max(figure.time, 1.0)
        is_end = step > steps - last
        if step % 4 == 0 and step * model.opt.timestep > 0.1 * figure.time:
            apart, past = figure.held_badly(data.xpos[ids], data.xquat[ids])
            outside = np.maximum(low - data.qpos[angles], data.qpos[angles] - high).max(initial=0.0)
            result["apart"] = max(result["apart"], apart / figure.size)
            result["impact"] = max(result["impact"], past)
            result["hinge"] = max(result["hinge"], np.degrees(outside))
            if is_end:
                result["end"] = max(result["end"], np.degrees(outside))
        result["energy"] = energy
    result["far"] = np.linalg.norm(data.xpos[ids[0]] - start) / figure.size
    return result


def lowest(model, data, floor):
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    low = np.inf
    for geom in range(model.ngeom):
        if geom != floor:
            center, half = model.geom_aabb[geom, :3], model.geom_aabb[geom, 3:]
            points = (center + corners * half) @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
            low = min(low, points[:, 2].min())
    return low
