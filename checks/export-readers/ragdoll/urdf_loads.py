"""Loads URDF in PyBullet and in MuJoCo, and compares it with the ragdoll."""

import mujoco
import numpy as np
import pybullet

from figure import w_first


def load(figure, path):
    client = pybullet.connect(pybullet.DIRECT)
    try:
        in_pybullet(figure, path)
    finally:
        pybullet.disconnect(client)
    in_mujoco(figure, path)


def in_pybullet(figure, path):
    robot = pybullet.loadURDF(path, flags=pybullet.URDF_USE_INERTIA_FROM_FILE)
    joints = [pybullet.getJointInfo(robot, joint) for joint in range(pybullet.getNumJoints(robot))]
    links = {joint[12].decode(): joint[0] for joint in joints}
    links[pybullet.getBodyInfo(robot)[0].decode()] = -1
    missing = [name for name in figure.names if name not in links]
    assert not missing, f"links are missing: {missing}"
    mass = sum(pybullet.getDynamicsInfo(robot, link)[0] for link in links.values())
    assert np.isclose(mass, figure.mass, rtol=1e-5), f"{mass} kg, expected {figure.mass}"
    for index in figure.held:
        link = links[figure.names[index]]
        state = pybullet.getLinkState(robot, link, computeForwardKinematics=True)
        position, rotation = np.array(state[4]), w_first(state[5])
        off = np.linalg.norm(position - figure.positions[index])
        assert off <= 1e-4 * figure.size, f"{figure.names[index]} is {off} m off the rest pose"
        turn = abs((rotation * figure.rotations[index]).sum())
        assert turn >= 1 - 1e-6, f"{figure.names[index]} is turned away from the rest pose: {turn}"


def in_mujoco(figure, path):
    model = mujoco.MjModel.from_xml_path(path)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    # The root of a URDF is a part of MuJoCo's world, so its mass is not counted.
    root = figure.bodies[0]["mass"]
    found = model.body_mass.sum()
    assert np.isclose(found, figure.mass - root, rtol=1e-5), f"{found} kg, expected {figure.mass - root}"
    for index in figure.held:
        at = model.body(figure.names[index]).id
        off = np.linalg.norm(data.xpos[at] - figure.positions[index])
        assert off <= 1e-5 * figure.size, f"{figure.names[index]} is {off} m off the rest pose"
        turn = abs((data.xquat[at] * figure.rotations[index]).sum())
        assert turn >= 1 - 1e-9, f"{figure.names[index]} is turned away from the rest pose: {turn}"
