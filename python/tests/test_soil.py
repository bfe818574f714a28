"""Soil and hard contact for other simulators: closed forms, purity, states, batches, and calls that make no sense."""

import math
import pickle
import threading

import numpy as np
import pytest

import touchdown

REST = np.zeros(6)


def pose(x=0.0, z=0.0, angle=0.0):
    """A frame that has turned about y."""
    return [x, 0.0, z, math.cos(angle / 2), 0.0, math.sin(angle / 2), 0.0]


def rolling(k):
    """A slipping wheel, k milliseconds after its start."""
    t = 1e-3 * k
    return pose(0.06 * t, 0.13 - 0.01 * t, 0.5 * t), [0, 0.5, 0, 0.06, 0, -0.01]


def ground_with_wheel():
    ground = touchdown.soil.Ground("lunar-nominal", spacing="10 mm")
    ground.wheel("wheel", radius=0.15, width=0.1, grousers=touchdown.soil.Grousers(12, 0.01))
    return ground


def roll(ground, steps):
    forces = []
    for k in steps:
        forces.append(ground.contacts["wheel"].evaluate(*rolling(k)).wrench)
        ground.advance(1e-3)
    return np.array(forces)


def test_a_foot_carries_what_bekkers_law_says():
    # lunar-nominal: p = (1400/0.1 + 820000) z in Pa over the plate's area, whose edges lie on the grid's cells.
    ground = touchdown.soil.Ground("lunar-nominal", spacing="5 mm", given_width="0.1 m")
    plate = ground.foot("plate", size=(0.1, 0.1), height=0.02)
    force = plate.evaluate(pose(z=0.01 - 0.02), REST)
    assert force.force[2] == pytest.approx(0.01 * (1400 / 0.1 + 820_000) * 0.02, rel=1e-9)
    assert force.sinkage == pytest.approx(0.02) and force.area == pytest.approx(0.01)
    assert np.allclose(force.wrench, [*force.torque, *force.force], rtol=0, atol=0)
    disc = touchdown.soil.Ground("lunar-nominal", spacing="5 mm").foot("disc", radius=0.1)
    assert disc.evaluate(pose(z=0.0), REST).area == pytest.approx(math.pi * 0.01, rel=2e-3)


def test_evaluation_is_pure_and_states_go_back_to_the_bit():
    straight, looked_at = ground_with_wheel(), ground_with_wheel()
    roll(straight, range(80))
    roll(looked_at, range(40))
    saved = looked_at.save()
    for k in (5, 300):
        looked_at.contacts["wheel"].evaluate(*rolling(k))
    forces = roll(looked_at, range(40, 80))
    assert looked_at.save() == straight.save() != saved
    other = ground_with_wheel()
    other.restore(pickle.loads(pickle.dumps(saved)))
    assert np.array_equal(roll(other, range(40, 80)), forces)
    heights = other.heights(-0.3, -0.2, 60, 40)
    assert heights.shape == (40, 60) and heights.min() < -0.01 and heights.max() > 1e-4
    assert other.height(-0.3 + 0.2, 0.0) == heights[20, 20]
    assert abs(other.volume_error) < 1e-12 < other.volume_moved
    x0, x1, y0, y1 = other.touched
    assert x0 <= -0.1 and x1 >= 0.1 and y0 <= -0.05 and y1 >= 0.05


def test_slopes_belong_to_the_wrench_and_batches_to_single_calls():
    ground = touchdown.soil.Ground.of_scenario("rover-drawbar-pull", spacing_m=0.02)
    assert len(ground.contacts) == 6
    poses = np.array([[x, y, 0.12, 1, 0, 0, 0] for x in (-0.7, 0.1, 0.7) for y in (-0.7, 0.7)])
    velocities = np.tile([0, 0.5, 0, 0.04, 0, -0.01], (6, 1))
    W, K, D = ground.evaluate_with_slopes(poses, velocities)
    assert np.array_equal(ground.evaluate(poses, velocities), W)
    for k, contact in enumerate(ground.contacts.values()):
        force, by_pose, by_velocity = contact.evaluate_with_slopes(poses[k], velocities[k])
        assert np.array_equal(force.wrench, W[k]) and np.array_equal(by_pose, K[k]) and np.array_equal(by_velocity, D[k])
    # Central differences of a function that is smooth in the velocity.
    d = 1e-6 * np.eye(6)
    first = next(iter(ground.contacts.values()))
    columns = [(first.evaluate(poses[0], velocities[0] + e).wrench - first.evaluate(poses[0], velocities[0] - e).wrench) / 2e-6 for e in d]
    assert np.abs(np.array(columns).T - D[0]).max() < 1e-5 * np.abs(D[0]).max()


def test_hard_contact_is_a_bed_of_springs_that_remembers_accepted_steps():
    def block(x, z):
        corners = np.array([[sx * x / 2, sy * x / 2, sz * z / 2] for sx in (-1, 1) for sy in (-1, 1) for sz in (-1, 1)])
        faces = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
        return corners, faces

    contact = touchdown.polygonal.Contact(block(0.1, 0.1), block(1.0, 0.5), stiffness=1e9, friction=touchdown.polygonal.Friction(0.5, 0.4))
    force = contact.evaluate(pose(z=0.3 - 1e-4), REST)
    # F = c A s; side walls that dip in by s add 2 s over the side length.
    assert force.wrench[5] == pytest.approx(1e9 * 0.01 * 1e-4, rel=5e-3)
    contact.advance()
    saved = contact.save()
    pulled, K, _ = contact.evaluate_with_slopes(pose(x=1e-5, z=0.3 - 1e-4), REST)
    assert pulled.wrench[3] < 0 and K[5, 5] == pytest.approx(-1e9 * 0.01, rel=1e-2)
    contact.advance()
    contact.restore(saved)
    assert np.array_equal(contact.evaluate(pose(x=1e-5, z=0.3 - 1e-4), REST).wrench, pulled.wrench)
    with pytest.raises(touchdown.ContactError, match="was not evaluated since"):
        fork = contact.fork()
        fork.advance()
        fork.advance()
    with pytest.raises(touchdown.UnknownName, match="there are:"):
        touchdown.polygonal.Contact.of_scenario("peg-in-cone", "nothing")


def calls(ground):
    """Every bad call: what is done, and the exceptions that are right for it."""
    contact, (good, still) = ground.contacts["wheel"], rolling(3)
    Contact, Scenario = touchdown.ContactError, touchdown.ScenarioError
    for bad in ([0] * 7, [0] * 6, [0] * 8, [], [0, 0, 0, 2, 0, 0, 0], [0, 0, 0, math.nan, 0, 0, 0], [0, 0, 0, math.inf, 0, 0, 0]):
        yield lambda bad=bad: contact.evaluate(bad, still), ValueError
        yield lambda bad=bad: contact.evaluate_with_slopes(bad, still), ValueError
    for bad in (None, "pose", object(), [[1.0]], ["a"] * 7):
        yield lambda bad=bad: contact.evaluate(bad, still), (TypeError, ValueError)
        yield lambda bad=bad: contact.evaluate(good, bad), (TypeError, ValueError)
    for value in (math.nan, math.inf, -math.inf):
        for k in range(3):
            place = list(good)
            place[k] = value
            yield lambda place=place: contact.evaluate(place, still), Contact
        for k in range(6):
            moved = list(still)
            moved[k] = value
            yield lambda moved=moved: contact.evaluate(good, moved), Contact
    for dt in (0.0, -1.0, math.nan, math.inf):
        yield lambda dt=dt: ground.advance(dt), Contact
    yield lambda: ground.advance(1e-3), Contact
    for dt in (None, "now", [1]):
        yield lambda dt=dt: ground.advance(dt), TypeError
    for shape in ((1, 6), (2, 7), (7, 1), (0, 7)):
        yield lambda shape=shape: ground.evaluate(np.zeros(shape), np.zeros((1, 6))), ValueError
    for name in ("wheel",):
        yield lambda name=name: ground.wheel(name, radius=0.1, width=0.1), Contact
    for radius in (0.0, -1.0, math.nan, 1e9):
        yield lambda radius=radius: ground.wheel("other", radius=radius, width=0.1), Scenario
        yield lambda radius=radius: ground.wheel("other", radius=0.1, width=radius), Scenario
        yield lambda radius=radius: ground.foot("other", radius=radius), (ValueError, Scenario)
    yield lambda: ground.foot("other"), ValueError
    yield lambda: ground.foot("other", radius=0.1, size=(0.1, 0.1)), ValueError
    yield lambda: ground.mesh("other", [[0, 0, 0]], [[0, 1, 2]]), Contact
    yield lambda: ground.mesh("other", [[0, 0]], [[0, 1, 2]]), ValueError
    yield lambda: ground.mesh("other", np.zeros((3, 3)), [[0, -1, 2]]), ValueError
    yield lambda: ground.mesh("other", np.full((3, 3), np.nan), [[0, 1, 2]]), Contact
    for keys in ({"soil": "butter"}, {"spacing": 0}, {"spacing": "-1 m"}, {"friction_law": "glue"}, {"nonsense": 3}, {"cohesion": math.nan}, {"move_every": 0}):
        yield lambda keys=keys: touchdown.soil.Ground(**{"soil": "lunar-nominal", **keys}), Scenario
    yield lambda: touchdown.soil.Ground.of_scenario("pendulum"), Scenario
    yield lambda: touchdown.soil.Ground.of_scenario("no-such"), Scenario
    yield lambda: ground.restore(None), TypeError
    yield lambda: ground.restore(touchdown.soil.Ground("lunar-nominal").save()), touchdown.StateError
    for data in (b"", b"nonsense", ground.save().to_bytes()[:-9], b"\x09" * 100):
        yield lambda data=data: touchdown.soil.GroundState.from_bytes(data), touchdown.StateError
    yield lambda: ground.heights(0, 0, 2**40, 2**40), Contact


def test_calls_that_make_no_sense_change_nothing():
    ground = ground_with_wheel()
    before, count = ground.save(), 0
    for call, right in calls(ground):
        with pytest.raises(right) as caught:
            call()
        assert str(caught.value)
        count += 1
    assert count >= 70 and ground.save() == before
    roll(ground, range(2))
    with pytest.raises(touchdown.ContactError, match="only before the first advance"):
        ground.wheel("late", radius=0.1, width=0.1)


def test_a_ground_used_by_two_threads_says_so_and_stays_whole():
    ground, seen = ground_with_wheel(), []

    def work():
        for k in range(200):
            try:
                ground.contacts["wheel"].evaluate(*rolling(k))
                ground.advance(1e-3)
            except (touchdown.BusyError, touchdown.ContactError) as error:
                seen.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert abs(ground.volume_error) < 1e-12 and ground.time > 0
