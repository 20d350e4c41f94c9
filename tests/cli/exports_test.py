"""The logs of one job, exported in every frame that collectors put around records, give the verdict of the plain logs."""

import csv
import io
import json
import sqlite3
import struct
import unittest

import support

FIRST_US = 1772719510_000000


def records(task):
    """Lines of a task's log with a time for each, as a collector would have seen them."""
    lines = support.worker_log(task, crash=task == 1).splitlines()
    return [(FIRST_US + 1_000_000 * i + 1000 * task, f"job-worker-{task}", line) for i, line in enumerate(lines)]


def iso(us):
    seconds = us // 1_000_000
    return f"2026-03-05T{seconds // 3600 % 24:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{us % 1_000_000:06d}"


def kibana(us):
    return f"Mar 5, 2026 @ {iso(us)[11:23]}"


def cloud_array(rows, indent):
    return json.dumps([{"insertId": str(us), "resource": {"labels": {"container_name": "tf", "pod_name": pod}, "type": "k8s_container"},
                        "timestamp": iso(us) + "Z", "textPayload": text} for us, pod, text in rows], indent=indent)


def kibana_csv(rows):
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(["@timestamp", "kubernetes.pod.name", "message"])
    table.writerows([kibana(us), pod, text] for us, pod, text in rows)
    return out.getvalue()


def journal_export(rows, binary):
    out = b""
    for i, (us, pod, text) in enumerate(rows):
        message = text.encode()
        message = b"MESSAGE\n" + struct.pack("<Q", len(message)) + message if binary else b"MESSAGE=" + message
        out += f"__CURSOR=s=1;i={i:x}\n__REALTIME_TIMESTAMP={us}\n_HOSTNAME={pod}\n".encode() + message + b"\n\n"
    return out


def journal_bytes(rows):
    return "".join(json.dumps({"__REALTIME_TIMESTAMP": str(us), "_HOSTNAME": pod, "MESSAGE": list(text.encode())}) + "\n" for us, pod, text in rows)


class Exports(support.Case):
    def setUp(self):
        super().setUp()
        self.bundle()
        plain = self.analyze("job", output="plain")
        self.wanted = self.judged(plain)
        self.assertEqual(self.wanted[:2], ("user-exception", ["worker-1"]))

    def judged(self, findings):
        verdict = findings["verdict"]
        return verdict["class"], verdict["workers"], verdict["step"], {w["name"]: w["last_step"] for w in findings["workers"]}

    def analyze_with(self, name, files):
        whole = support.bundle_files()
        logs = {path: text for path, text in whole.items() if not path.startswith("logs/worker-")}
        support.write_files(self.path(name), {**logs, **files})
        return self.analyze(name, output=name + ".out")

    def test_one_file_for_all(self):
        rows = sorted(records(0) + records(1))
        frames = {"array": ("log.json", cloud_array(rows, 2)), "newest-first": ("log.json", cloud_array(rows[::-1], 2)),
                  "one-line": ("log.json", cloud_array(rows, None)), "kibana": ("log.csv", kibana_csv(rows[::-1]))}
        for name, (path, text) in frames.items():
            with self.subTest(name):
                self.assertEqual(self.judged(self.analyze_with(name, {"logs/" + path: text})), self.wanted)

    def test_journals(self):
        for name, frame in (("export", lambda r: journal_export(r, False)), ("binary", lambda r: journal_export(r, True)), ("bytes", journal_bytes)):
            with self.subTest(name):
                files = {f"logs/worker-{task}.journal": frame(records(task)) for task in (0, 1)}
                self.assertEqual(self.judged(self.analyze_with(name, files)), self.wanted)

    def test_an_array_that_was_cut(self):
        text = cloud_array(sorted(records(0) + records(1)), 2)
        support.write_files(self.path("cut"), {"log.json": text[:len(text) * 2 // 3]})
        self.run_tfpm("analyze", "cut", "-o", "cut.out", "-q", code=3)
        db = sqlite3.connect(self.path("cut.out", "tfpm.db"))
        self.addCleanup(db.close)
        self.assertEqual(db.execute("SELECT code FROM problem WHERE severity = 'data-loss'").fetchall(), [("log-array-cut",)])
        self.assertGreater(db.execute("SELECT sum(records) FROM stream").fetchone()[0], 10)

    def test_text_of_windows_tools(self):
        table = ("timestamp, name, pci.bus_id, utilization.gpu [%], memory.used [MiB]\n"
                 "2026/03/05 14:05:42.402, NVIDIA A100-SXM4-80GB, 00000000:3B:00.0, 97 %, 78410 MiB\n")
        pods = json.dumps({"apiVersion": "v1", "kind": "List", "items": [
            {"kind": "Pod", "metadata": {"name": "job-worker-1"}, "status": {"containerStatuses": [
                {"name": "tf", "state": {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}}]}}]}, indent=2)
        for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
            with self.subTest(encoding):
                support.write_files(self.path(encoding), {"gpu.csv": table.encode(encoding), "pods.json": pods.encode(encoding)})
                self.run_tfpm("analyze", encoding, "-o", encoding + ".out", "-q", code=(0, 3))
                db = sqlite3.connect(self.path(encoding + ".out", "tfpm.db"))
                self.assertEqual(db.execute("SELECT mem_used_mib FROM gpu_sample").fetchall(), [(78410,)])
                self.assertEqual(db.execute("SELECT exit_code FROM exit_record").fetchall(), [(137,)])
                self.assertEqual(db.execute("SELECT DISTINCT code FROM problem").fetchall(), [("utf-16-text",)])
                db.close()


if __name__ == "__main__":
    support.main()
