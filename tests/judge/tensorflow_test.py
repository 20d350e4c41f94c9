"""TensorFlow itself as judge of checkpoints and event files: names, shapes, dtypes, checksums and values of every real file.

Skipped where Python has no tensorflow. TFPM_JUDGE_DIRS: directories to look through beside fixtures/bundles, separated by colons.
"""

import glob
import math
import os
import re
import sqlite3
import struct
import unittest

import support

SOURCE = os.path.abspath(os.environ.get("TFPM_SOURCE", "."))
ROOTS = [os.path.join(SOURCE, "fixtures", "bundles")] + [d for d in os.environ.get("TFPM_JUDGE_DIRS", "").split(":") if d]

try:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import numpy
    import tensorflow as tf
except ImportError:
    tf = None

TABLE_MAGIC = bytes.fromhex("57fb808b247547db")  # at the end of every table file
TABLE = []
for n in range(256):
    for _ in range(8):
        n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
    TABLE.append(n)


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def found(pattern):
    return sorted(p for root in ROOTS for p in glob.glob(os.path.join(glob.escape(root), "**", pattern), recursive=True))


def v1_prefixes():
    """Files of the first format have the table's footer and no .index or .data in their names; shards share what stands before -NNNNN-of-NNNNN."""
    prefixes = set()
    for path in found("*"):
        name = os.path.basename(path)
        if not os.path.isfile(path) or ".index" in name or ".data-" in name or os.path.getsize(path) < 48:
            continue
        with open(path, "rb") as file:
            file.seek(-8, os.SEEK_END)
            if file.read() == TABLE_MAGIC:
                prefixes.add(re.sub(r"-\d{5}-of-\d{5}$", "", path))
    return sorted(prefixes)


def v1_pattern(prefix):
    """How TensorFlow wants the prefix: shards of the first format by a pattern, all else as it is."""
    return prefix + "-?????-of-?????" if glob.glob(glob.escape(prefix) + "-?????-of-?????") else prefix


def v1_variables(v1):
    """One variable of every kind the first format can hold, some cut into parts, one not finite."""
    for dtype in (tf.float32, tf.float64, tf.float16, tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.complex64):
        v1.get_variable("of/" + dtype.name, initializer=tf.cast(tf.reshape(tf.range(12), [3, 4]), dtype))
    v1.get_variable("of/bool", initializer=tf.constant([True, False, True]))
    v1.get_variable("scalar", initializer=tf.constant(2.5))
    v1.get_variable("empty", initializer=tf.zeros([0, 3]))
    v1.get_variable("bad", initializer=tf.constant([1.0, float("nan"), float("-inf"), 4.0]))
    v1.get_variable("table", shape=[1000, 7], initializer=v1.random_uniform_initializer(seed=1), partitioner=v1.fixed_size_partitioner(3))


def rows(database, sql, *arguments):
    with sqlite3.connect(database) as db:
        return db.execute(sql, arguments).fetchall()


def values_that_are_not_finite(array):
    kind = numpy.asarray(array)
    try:
        return int(numpy.count_nonzero(~numpy.isfinite(kind.astype(numpy.float64))))
    except (TypeError, ValueError):
        return None


@unittest.skipIf(tf is None, "Python has no tensorflow")
class TensorFlow(support.Case):
    folder = database = None

    def analyzed(self, folder):
        if folder == self.folder:  # checkpoints of one folder come one after another
            return self.database
        out = self.path("out")
        self.run_tfpm("analyze", folder, "-o", out, "--force", code=(0, 3))
        self.folder, self.database = folder, os.path.join(out, "tfpm.db")
        return self.database

    def check_checkpoint(self, prefix):
        try:
            reader = tf.train.load_checkpoint(v1_pattern(prefix))
            shapes = reader.get_variable_to_shape_map()
            dtypes = reader.get_variable_to_dtype_map()
        except Exception as error:  # pylint: disable=broad-except
            # What TensorFlow cannot open must not be called good here.
            result = self.run_tfpm("verify-checkpoint", prefix, code=(1, 2))
            self.assertTrue(result.stdout or result.stderr, error)
            return 0
        database = self.analyzed(os.path.dirname(prefix))
        name = os.path.basename(prefix)
        ids = rows(database, "SELECT id FROM checkpoint WHERE prefix = ?", name)
        self.assertEqual(len(ids), 1, prefix)
        mine = {r[0]: r[1:] for r in rows(database, "SELECT name, dtype, shape, status, nonfinite, crc_stored, bytes FROM checkpoint_tensor "
                                          "WHERE checkpoint_id = ? AND name NOT LIKE '%[%'", ids[0][0])}
        self.assertEqual(sorted(mine), sorted(shapes), prefix)
        for key, shape in shapes.items():
            dtype, text, status, nonfinite, crc, size = mine[key]
            self.assertEqual(text, "[" + ",".join(str(d) for d in shape) + "]", (prefix, key))
            self.assertEqual(dtype, dtypes[key].name, (prefix, key))
            try:
                value = reader.get_tensor(key)
            except tf.errors.UnimplementedError:
                self.assertEqual(status, "ok", (prefix, key))
                continue  # the Python reader puts no slices of the first format together
            except (tf.errors.OpError, IndexError, RuntimeError, ValueError):
                # The reader turns its statuses into errors of Python.
                self.assertIn(status, ("crc-bad", "short", "missing"), (prefix, key))
                continue
            self.assertEqual(status, "ok", (prefix, key))
            if dtypes[key].is_floating:
                self.assertEqual(nonfinite, values_that_are_not_finite(value), (prefix, key))
            if crc is not None and dtype not in ("string", "variant") and size is not None and size < 100_000:
                self.assertEqual(crc, masked_crc(numpy.asarray(value).tobytes()), (prefix, key))
        return 1

    def test_checkpoints(self):
        prefixes = [p[: -len(".index")] for p in found("*.index")]
        checked = sum(self.check_checkpoint(p) for p in prefixes)
        print(f"{checked} of {len(prefixes)} checkpoints as TensorFlow reads them, the others refused by both")

    def test_v1_checkpoints(self):
        checked = sum(self.check_checkpoint(p) for p in v1_prefixes())
        print(f"{checked} checkpoints of the first format as TensorFlow reads them")

    def test_v1_checkpoints_that_tensorflow_writes(self):
        v1 = tf.compat.v1
        for sharded in (False, True):
            folder = self.path("sharded" if sharded else "whole")
            os.makedirs(folder)
            with tf.Graph().as_default(), v1.Session() as session:
                v1_variables(v1)
                session.run(v1.global_variables_initializer())
                saver = v1.train.Saver(write_version=v1.train.SaverDef.V1, sharded=sharded)
                saver.save(session, os.path.join(folder, "model.ckpt"), global_step=700, write_meta_graph=False)
            prefix = os.path.join(folder, "model.ckpt-700")
            self.assertEqual(self.check_checkpoint(prefix), 1)
            self.check_damaged_v1(folder, prefix)

    def check_damaged_v1(self, folder, prefix):
        """A bit that turned in the data: TensorFlow refuses the file or the tensor, and so must the tool."""
        path = max((p for p in glob.glob(os.path.join(folder, "model.ckpt-700*"))), key=os.path.getsize)
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            byte = file.read(1)[0]
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte ^ 0x10]))
        self.run_tfpm("verify-checkpoint", prefix, code=1)

    @staticmethod
    def events(path):
        """All records that TensorFlow's iterator gives, until it stops at the first fault."""
        out = []
        try:
            for record in tf.compat.v1.io.tf_record_iterator(path):
                event = tf.compat.v1.Event()
                event.ParseFromString(record)
                out.append(event)
        except tf.errors.DataLossError:
            pass
        return out

    def check_events(self, path):
        database = self.analyzed(path)
        mine = rows(database, "SELECT tag, step, value, state FROM metric ORDER BY tag, seq")
        want = []
        for event in self.events(path):
            for value in event.summary.value:
                if value.HasField("simple_value"):
                    number = value.simple_value
                elif value.HasField("tensor") and value.tensor.dtype in (tf.float32.as_datatype_enum, tf.float64.as_datatype_enum):
                    array = tf.make_ndarray(value.tensor)
                    if array.size != 1:
                        continue
                    number = float(array)
                else:
                    continue
                want.append((value.tag, event.step, number))
        want.sort(key=lambda w: w[0])
        thinned = len(mine) < len(want)
        if thinned:
            kept = {(m[0], m[1]) for m in mine}
            want = [w for w in want if (w[0], w[1]) in kept]
        # Behind a fault TensorFlow reads no further; what stands before it must be the same.
        for (tag, step, value, state), (own_tag, own_step, number) in zip(mine, want):
            self.assertEqual((tag, step), (own_tag, own_step), path)
            if value is None:
                self.assertFalse(math.isfinite(number), (path, tag, step))
                self.assertEqual(state, "nan" if math.isnan(number) else "inf" if number > 0 else "-inf")
            else:
                self.assertEqual(struct.pack("<d", value), struct.pack("<d", number), (path, tag, step))
        self.assertGreaterEqual(len(mine), len(want), path)
        return len(mine)

    def test_events(self):
        paths = found("*.tfevents.*")
        values = sum(self.check_events(p) for p in paths)
        print(f"{values} values of {len(paths)} event files as TensorFlow's iterator reads them")


if __name__ == "__main__":
    support.main()
