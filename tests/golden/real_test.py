"""Evidence made elsewhere, read where it lies beside the project: the parser chosen, rows and key values, each counted here by other means.
Skipped where that folder is absent."""

import glob
import json
import os
import re
import sqlite3
import unittest
import xml.etree.ElementTree as xml

import support

SHARED = os.path.join(os.path.abspath(os.environ.get("TFPM_SOURCE", ".")), "..", "shared")
REAL = os.path.join(SHARED, "real")
BUNDLES = os.path.join(SHARED, "bundles")

# Members of recorded bundles: what reads them. A worker's log stays a log whatever it quotes.
MEMBER_PARSERS = [
    (r"(^|/)logs/launcher\.log$", "launcher"), (r"(^|/)logs/.*\.(log|out)$", "log"), (r"(^|/)slurm-\d+\.out$", "log"),
    (r"kubectl-logs\.txt$", "log"), (r"tf_config/.*\.json$", "tf-config"), (r"env/.*pip-freeze\.txt$", "environment"),
    (r"stacks/.*\.ps\.txt$", "processes"), (r"stacks/[^.]*\.txt$", "stacks"), (r"dmesg\.txt$", "kernel"),
    (r"(scontrol-show-job|jobcomp)\.txt$", "slurm-jobs"), (r"/checkpoint$", "checkpoint-state"), (r"\.index$", "checkpoint"),
    (r"events\.out\.tfevents\.", "tfevents"),
]
SAMPLES = ["exception-kubectl", "slurm-oom", "slurm-time-limit", "cgroup-oom", "hang-sigstop", "hang-stuck-input", "segfault", "estimator-healthy",
           "healthy-keras", "ckpt-two-writers", "ps-dies"]


def text_of(*parts):
    with open(os.path.join(REAL, *parts), encoding="utf-8", errors="replace") as f:
        return f.read()


@unittest.skipUnless(os.path.isdir(REAL), "no artefacts beside the project")
class Real(support.Case):
    def setUp(self):
        super().setUp()
        self.run_tfpm("analyze", REAL, "-o", "out", "-q", code=(0, 3))
        self.db = sqlite3.connect(self.path("out", "tfpm.db"))
        self.addCleanup(self.db.close)

    def value(self, sql, *parameters):
        return self.db.execute(sql, parameters).fetchone()[0]

    def count(self, table, path, where="1"):
        return self.value(f"SELECT count(*) FROM {table} t JOIN source s ON s.id = t.source_id WHERE s.path = ? AND {where}", path)

    def test_everything(self):
        self.check_parsers()
        self.check_kernel()
        self.check_smi()
        self.check_fabric()
        self.check_kubernetes()

    def check_parsers(self):
        chosen = {"kernel/": "kernel", "kubernetes/": "kubernetes", "nvidia-smi/": "nvidia-smi", "fabric/ibstat": "network-links",
                  "fabric/fabricmanager": "fabric-manager"}
        for path, parser, status, reason in self.db.execute("SELECT path, parser, status, reason FROM source").fetchall():
            for prefix, wanted in chosen.items():
                if path.startswith(prefix):
                    self.assertEqual((parser, status), (wanted, "read"), path)
            self.assertTrue(status in ("read", "partial", "container") or reason, path)
            # What is about tools is no output of one.
            if path.endswith(".md"):
                self.assertNotEqual(parser, "nvidia-smi")

    def check_kernel(self):
        for path in sorted(glob.glob(os.path.join(REAL, "kernel", "*"))):
            name = "kernel/" + os.path.basename(path)
            lines = re.findall(r"NVRM: Xid \(PCI:([0-9a-f:]+)[^)]*\): (\d+)", text_of(name))
            self.assertEqual(self.count("kernel_event", name, "kind = 'xid'"), len(lines), name)
            for bus, xid in set(lines):
                wanted = sum(1 for line in lines if line == (bus, xid))
                self.assertEqual(self.count("kernel_event", name, f"xid = {xid} AND pci_bus = '0000{bus}.0'"), wanted, (name, xid))
        xids = [row[0] for row in self.db.execute("SELECT DISTINCT xid FROM kernel_event WHERE xid IS NOT NULL")]
        for xid in xids:
            self.assertEqual(self.value("SELECT count(*) FROM xid_catalogue WHERE xid = ?", xid), 1, xid)

    def check_smi(self):
        for path in sorted(glob.glob(os.path.join(REAL, "nvidia-smi", "query", "*"))):
            name = "nvidia-smi/query/" + os.path.basename(path)
            text = text_of(name)
            self.assertEqual(self.count("gpu_sample", name), len(re.findall(r"^GPU [0-9A-F]{8}:", text, re.M)), name)
            self.assertEqual(self.count("gpu_process", name), len(re.findall(r"Process ID +: \d+", text)), name)
        for path in sorted(glob.glob(os.path.join(REAL, "nvidia-smi", "xml", "*"))):
            name = "nvidia-smi/xml/" + os.path.basename(path)
            tree = xml.fromstring(re.sub(r"<!DOCTYPE[^>]*>", "", text_of(name)))
            gpus = tree.findall("gpu")
            used = [float(g.find("fb_memory_usage/used").text.split()[0]) for g in gpus]
            rows = self.db.execute("SELECT mem_used_mib FROM gpu_sample g JOIN source s ON s.id = g.source_id WHERE s.path = ? ORDER BY line", (name,))
            self.assertEqual([row[0] for row in rows], used, name)
            self.assertEqual(self.count("gpu_process", name), len(tree.findall(".//process_info")), name)
            width = gpus[0].find("pci/pci_gpu_link_info/link_widths/max_link_width").text.rstrip("x")
            self.assertEqual(self.count("gpu_health", name, f"pcie_width_max = {width}"), len(gpus), name)
        links = re.findall(r"Link \d+: 25 GB/s", text_of("nvidia-smi", "nvlink-status-a100.txt"))
        self.assertEqual(self.count("gpu_link", "nvidia-smi/nvlink-status-a100.txt", "active = 1 AND gb_per_s = 25"), len(links))
        for path in sorted(glob.glob(os.path.join(REAL, "nvidia-smi", "captures", "*h100*"))):
            name = "nvidia-smi/captures/" + os.path.basename(path)
            listed = set(re.findall(r"^GPU \d+: .*UUID: (GPU-[0-9a-f-]+)", text_of(name), re.M))
            seen = {row[0] for row in self.db.execute(
                "SELECT DISTINCT uuid FROM gpu_sample g JOIN source s ON s.id = g.source_id WHERE s.path = ? AND uuid IS NOT NULL", (name,))}
            self.assertEqual(listed, seen, name)

    def check_fabric(self):
        for name in ("fabric/ibstat-h100-active.txt", "fabric/ibstat-h100-some-down.txt"):
            text = text_of(name)
            self.assertEqual(self.count("network_link", name), len(re.findall(r"^\tPort \d+:", text, re.M)), name)
            self.assertEqual(self.count("network_link", name, "up = 1"),
                             len(re.findall(r"State: Active\n\t\tPhysical state: LinkUp", text)), name)
            self.assertEqual(self.count("network_link", name, "speed_mbit = 400000"), len(re.findall(r"Rate: 400\n", text)), name)
        errors = re.findall(r"\] \[(?:ERROR|WARNING|CRITICAL)\]", text_of("fabric", "fabricmanager.log"))
        self.assertEqual(self.count("fabric_event", "fabric/fabricmanager.log", "severity <> 'INFO'"), len(errors))

    def check_kubernetes(self):
        for path in sorted(glob.glob(os.path.join(REAL, "kubernetes", "*.json"))):
            name = "kubernetes/" + os.path.basename(path)
            items = json.loads(text_of(name))["items"]
            self.assertEqual(self.count("exit_record", name, "what IN ('preempted', 'evicted')"),
                             sum(1 for item in items if item["reason"] in ("Preempted", "Evicted")), name)


@unittest.skipUnless(os.path.isdir(BUNDLES), "no recorded bundles beside the project")
class Recorded(support.Case):
    def test_members_are_read_by_their_parsers(self):
        for bundle in SAMPLES:
            self.run_tfpm("analyze", os.path.join(BUNDLES, bundle), "-o", bundle, "-q", code=(0, 3))
            db = sqlite3.connect(self.path(bundle, "tfpm.db"))
            for path, parser, status, reason in db.execute("SELECT path, parser, status, reason FROM source").fetchall():
                for pattern, wanted in MEMBER_PARSERS:
                    if re.search(pattern, path):
                        self.assertEqual(parser, wanted, f"{bundle}: {path}")
                        break
                self.assertTrue(status in ("read", "partial", "container") or reason, f"{bundle}: {path}")
            db.close()


if __name__ == "__main__":
    support.main()
