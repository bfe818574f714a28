"""A run that streams, seen by a WebSocket client of others and decoded by its own descriptions alone; the same columns in `frames.mcap` by a reader of others."""

import base64
import json
import os
import re
import signal
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest

websockets = pytest.importorskip("websockets.sync.client")
mcap_reader = pytest.importorskip("mcap.reader")
pytest.importorskip("google.protobuf")

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory  # noqa: E402

from conftest import wheel_world  # noqa: E402

PROGRAM = Path(os.environ.get("TOUCHDOWN", "target/release/touchdown"))


def decoder(schema, name):
    """The class of a message, from its description."""
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(schema).file:
        pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))


def value(message, column):
    """A column of a row, by its name."""
    for part in column.split("."):
        message = getattr(message, re.sub(r"[^A-Za-z0-9_]", "_", part))
    return message


class Stream:
    """A command that streams a run, and a viewer of it."""

    def __init__(self, *arguments):
        if not PROGRAM.exists():
            pytest.skip("the command is not built")
        command = [str(PROGRAM), "run", *map(str, arguments), "--foxglove=0", "--no-report", "--force"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        found = None
        while found is None:
            line = self.process.stderr.readline()
            assert line, "the command ended without an address"
            found = re.search(r"ws://127\.0\.0\.1:\d+", line)
        self.viewer = websockets.connect(found[0], subprotocols=["foxglove.websocket.v1"], max_size=None)
        self.info, channels = (json.loads(self.viewer.recv(timeout=60)) for _ in range(2))
        self.channels = {channel["topic"]: channel for channel in channels["channels"]}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.viewer.close()
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()

    def subscribe(self, *topics):
        wanted = [{"id": 100 + k, "channelId": self.channels[topic]["id"]} for k, topic in enumerate(topics)]
        self.viewer.send(json.dumps({"op": "subscribe", "subscriptions": wanted}))
        schemas = [(self.channels[topic]["schema"], self.channels[topic]["schemaName"]) for topic in topics]
        self.classes = [decoder(base64.b64decode(schema), name) for schema, name in schemas]

    def messages(self):
        """Subscription, time in s, and decoded message of what comes; times of the clock in between."""
        while True:
            data = self.viewer.recv(timeout=60)
            assert isinstance(data, bytes), data
            if data[0] == 2:
                self.clock = struct.unpack("<Q", data[1:])[0]
                continue
            opcode, subscription, time = struct.unpack_from("<BIQ", data)
            assert opcode == 1 and time <= self.clock
            yield subscription - 100, 1e-9 * time, self.classes[subscription - 100].FromString(data[13:])


def test_rows_and_poses_come_while_the_run_goes_on(tmp_path):
    """The run takes hours: what comes is live."""
    with Stream("pendulum", "--set", "duration_s=1e6", "--out", tmp_path / "run") as stream:
        assert stream.info["op"] == "serverInfo" and "time" in stream.info["capabilities"]
        stream.subscribe("/series", "/tf")
        seen = {0: [], 1: []}
        for which, time, message in stream.messages():
            seen[which].append((time, message))
            if min(map(len, seen.values())) >= 20:
                break
        for rows in seen.values():
            times = [time for time, _ in rows]
            assert times == sorted(times)
        assert abs(value(seen[0][-1][1], "joint.hinge.position_rad")) < np.pi
        assert "bob" in {transform.child_frame_id for transform in seen[1][-1][1].transforms}
        stream.process.send_signal(signal.SIGINT)
        assert stream.process.wait(timeout=60) != 0


def test_who_comes_when_the_run_has_ended_sees_its_end(tmp_path):
    pyarrow = pytest.importorskip("pyarrow.parquet")
    with Stream("pendulum", "--set", "duration_s=1", "--out", tmp_path / "run") as stream:
        assert any("stays" in line for line in iter(stream.process.stderr.readline, ""))
        stream.subscribe("/series", "/scene")
        rows = stream.messages()
        found = dict((which, (time, message)) for which, time, message in (next(rows), next(rows)))
        table = pyarrow.read_table(tmp_path / "run/series.parquet")
        assert found[0][0] == 1.0 and len(found[1][1].entities) > 0
        for column in table.column_names[1:]:
            assert value(found[0][1], column) == table[column][-1].as_py(), column


def test_frames_hold_the_columns_for_readers_of_others(tmp_path):
    run = wheel_world(0.5).simulate().run(progress=False)
    run.save(tmp_path / "run")
    with open(tmp_path / "run/frames.mcap", "rb") as file:
        reader, rows, kind = mcap_reader.make_reader(file), [], None
        for schema, channel, message in reader.iter_messages(topics=["/series"]):
            assert channel.message_encoding == "protobuf"
            kind = kind or decoder(schema.data, schema.name)
            rows.append((message.log_time, kind.FromString(message.data)))
    assert [round(1e9 * t) for t in run.time] == [time for time, _ in rows]
    for column in run.columns[1:]:
        np.testing.assert_array_equal([value(message, column) for _, message in rows], run[column], err_msg=column)
