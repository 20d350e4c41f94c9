"""Every member of the recorded bundles and of the artefacts made elsewhere: parser, rows of evidence and key values as in evidence.tsv, and again as
counted here by other means (recount_text.py, recount_binary.py; tests/judge asks TensorFlow). Skipped where that folder is absent.

In evidence.tsv `name=value` was counted twice, `name:value` is the program's word alone. `--update` writes it; TFPM_ALL=1 reads all bundles.
"""

import glob
import io
import os
import sqlite3
import subprocess
import sys
import tarfile
import unittest

import recount_binary
import recount_text
import support

SOURCE = os.path.abspath(os.environ.get("TFPM_SOURCE", "."))
SHARED = os.path.join(SOURCE, "..", "shared")
TABLE = os.path.join(SOURCE, "tests", "golden", "evidence.tsv")
# In the default run: one of every launcher, loop and kind of member.
SAMPLES = ["slurm-oom", "exception-kubectl", "cgroup-oom", "hang-sigstop", "hang-stuck-input", "estimator-healthy", "nan-debugger-dump", "ps-dies"]
# Rows that a parser alone decides; events and their like depend on rules.
TABLES = ["tf_config", "environment", "exit_record", "kernel_event", "checkpoint_state", "metric", "metric_histogram", "event_note", "stack",
          "stack_thread", "process_state", "gpu_sample", "gpu_process", "gpu_link", "gpu_health", "network_link", "fabric_event", "profile_plane",
          "profile_step", "profile_op", "profile_iterator", "profile_producer", "profile_memory", "debug_op", "debug_bad_tensor", "debug_frame",
          "debug_source", "checkpoint_leftover", "problem"]
VALUES = {
    "tf-config": "SELECT task_type || '-' || coalesce(task_index, task_index_text) AS task FROM tf_config WHERE source_id = ?",
    "environment": "SELECT (SELECT version FROM environment WHERE source_id = s.id AND component IN ('tensorflow', 'tensorflow-cpu') LIMIT 1) AS tensorflow "
                   "FROM source s WHERE id = ?",
    "launcher": "SELECT sum(what = 'started') AS started, (SELECT group_concat(c) FROM (SELECT CAST(exit_code AS TEXT) AS c FROM exit_record "
                "WHERE source_id = e.source_id AND exit_code IS NOT NULL ORDER BY c)) AS codes FROM exit_record e WHERE source_id = ?",
    "kernel": "SELECT nullif(sum(kind = 'xid'), 0) AS xid_rows, nullif(sum(kind = 'oom-kill'), 0) AS killed FROM kernel_event WHERE source_id = ?",
    "checkpoint-state": "SELECT latest FROM checkpoint_state WHERE source_id = ?",
    "checkpoint": "SELECT format, completeness, integrity, health, shards, tensors, bytes FROM checkpoint WHERE source_id = ?",
    "tfevents": "SELECT records, scalars, last_step FROM event_file WHERE source_id = ?",
    "xplane": "SELECT planes, lines, events FROM profile WHERE source_id = ?",
}


def database_of(bundle, folder):
    out = os.path.join(folder, "out")
    subprocess.run([support.TFPM, "analyze", bundle, "-o", out, "-q", "--force"], check=False, stdout=subprocess.DEVNULL, timeout=support.TIMEOUT)
    return sqlite3.connect(os.path.join(out, "tfpm.db"))


def facts(db, source, parser, lines):
    """What the program says of one member: {name: value}."""
    found = {} if lines is None else {"lines": lines}
    for table in TABLES:
        if n := db.execute(f"SELECT count(*) FROM {table} WHERE source_id = ?", (source,)).fetchone()[0]:
            found[table] = n
    if parser in VALUES:
        cursor = db.execute(VALUES[parser], (source,))
        row = cursor.fetchone()
        if row is not None:
            found.update(zip([c[0] for c in cursor.description], row))
    return {name: str(value) for name, value in found.items() if value is not None}


def recount(parser, path, data):
    """The same, or a part of it, by other means."""
    if parser == "tfevents":
        found = recount_binary.tfevents(data)
    elif parser == "xplane" and b"\xef\xbf\xbd" not in data[:4096]:
        found = recount_binary.xplane(data)
    elif parser == "checkpoint" and path.endswith(".index"):
        try:
            found = recount_binary.checkpoint_index(data)
        except (IndexError, ValueError, KeyError, AssertionError):
            return {}  # damaged on purpose; the program's word stands alone
    else:
        text = data.decode("utf-8", "replace")
        try:
            found = recount_text.READERS[parser](text) if parser in recount_text.READERS else {}
        except (ValueError, AttributeError):
            found = {}
        if parser == "log" or parser in recount_text.READERS:
            found["lines"] = recount_text.lines(data)
    return {name: str(value) for name, value in found.items() if value not in (None, 0)}


def contents(bundle):
    """{path in the bundle: bytes}."""
    if os.path.isdir(bundle):
        paths = [os.path.join(top, name) for top, _, names in os.walk(bundle) for name in names]
        return {os.path.relpath(p, bundle): open(p, "rb").read() for p in paths}
    plain = subprocess.run(["zstd", "-dcq", bundle], check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(plain)) as tar:
        members = {m.name: tar.extractfile(m).read() for m in tar if m.isfile()}
    root = os.path.commonpath(list(members)) if members else ""
    return {os.path.relpath(name, root) if root else name: data for name, data in members.items()}


def rows_of(name, bundle, folder):
    """Lines of evidence.tsv for one bundle, and what was counted in two ways with two results."""
    out, differ = [], []
    db = database_of(bundle, folder)
    data = contents(bundle)
    for source, path, parser, status, reason, lines in db.execute("SELECT id, path, parser, status, reason, lines FROM source ORDER BY path").fetchall():
        said = facts(db, source, parser, lines)
        counted = recount(parser, path, data[path]) if path in data else {}
        for key, value in counted.items():
            if said.get(key) != value:
                differ.append(f"{name}: {path}: {key} is {said.get(key)}, counted {value}")
        words = [f"{k}{'=' if k in counted else ':'}{v}" for k, v in said.items()]
        out.append("\t".join([name, path, parser or "-", status, " ".join(words) or reason or "-"]))
    db.close()
    return out, differ


def bundles(names):
    for name in names:
        found = [p for p in glob.glob(os.path.join(SHARED, "bundles", name + "*")) if os.path.basename(p) in (name, name + ".tar.zst")]
        if found:
            yield name, found[0]
    yield "real", os.path.join(SHARED, "real")


def all_names():
    return sorted(os.path.basename(p)[:-len(".truth.json")] for p in glob.glob(os.path.join(SHARED, "bundles", "*.truth.json")))


@unittest.skipUnless(os.path.isdir(os.path.join(SHARED, "real")), "no artefacts beside the project")
class Evidence(support.Case):
    maxDiff = None

    def test_members(self):
        with open(TABLE, encoding="utf-8") as f:
            wanted = [line.rstrip("\n") for line in f]
        for name, bundle in bundles(all_names() if os.environ.get("TFPM_ALL") == "1" else SAMPLES):
            found, differ = rows_of(name, bundle, self.dir)
            self.assertEqual(differ, [])
            self.assertEqual(found, [line for line in wanted if line.split("\t", 1)[0] == name])


def update():
    case = Evidence()
    case.setUp()
    lines = []
    for name, bundle in bundles(all_names()):
        found, differ = rows_of(name, bundle, case.dir)
        lines += found
        for text in differ:
            print(text)
    with open(TABLE, "w", encoding="utf-8") as f:
        f.writelines(line + "\n" for line in lines)
    case.doCleanups()


if __name__ == "__main__":
    if "--update" in sys.argv:
        update()
    else:
        support.main()
