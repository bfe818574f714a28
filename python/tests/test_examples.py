"""The examples that stand alone: soil behind a socket, and a policy that climbs with less slip."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))


def test_soil_behind_a_socket_gives_the_bits_of_soil_in_the_process():
    import soil_server

    assert soil_server.main() == 0.0


def test_the_policy_slips_less_than_one_speed_on_a_soil_it_never_saw():
    """The policy that the example keeps, on the first of its unseen soils; training takes a minute or two and stays with the example."""
    pytest.importorskip("gymnasium")
    import climb

    (row,) = climb.compare(climb.POLICY, soils=1)
    assert row["slip"] < row["constant_slip"]
    assert row["speed"] == pytest.approx(row["constant_speed"], rel=0.02)


def test_training_finds_better_policies():
    """Three small generations on one soil: the middle of the last is better than wheels that all turn at one speed."""
    pytest.importorskip("gymnasium")
    import climb

    _, curve = climb.train(generations=4, population=8, soils=2)
    assert curve[-1][1] < curve[0][1]
