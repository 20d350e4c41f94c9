"""The same bundle in every packing gives the same findings."""

import os
import shutil
import subprocess
import unittest

import support


def without_bundle(findings):
    """What must not depend on the packing."""
    return {key: value for key, value in findings.items() if key != "bundle"}


def strip_prefix(value, prefix):
    """Removes the archive's part from every path in a findings.json."""
    if isinstance(value, dict):
        return {k: strip_prefix(v, prefix) for k, v in value.items()}
    if isinstance(value, list):
        return [strip_prefix(v, prefix) for v in value]
    return value.replace(prefix, "") if isinstance(value, str) else value


class Archives(support.Case):
    def setUp(self):
        super().setUp()
        self.folder = self.bundle()
        self.plain = without_bundle(self.analyze("job", output="plain"))

    def compare(self, archive):
        name = os.path.basename(archive)
        self.assertEqual(without_bundle(self.analyze(name, output=name + ".out")), self.plain)

    def test_tar(self):
        for mode in ("", ":gz", ":xz", ":bz2"):
            for root in ("job", ".", "./"):
                with self.subTest(mode=mode, root=root):
                    shutil.rmtree(self.path("j.tar.out"), ignore_errors=True)
                    self.compare(support.make_tar(self.path("j.tar"), self.folder, root, "w" + mode))

    def test_zip(self):
        self.compare(support.make_zip(self.path("a.zip"), self.folder))
        self.compare(support.make_zip(self.path("b.zip"), self.folder, "some-root"))

    @unittest.skipUnless(shutil.which("zstd"), "needs zstd")
    def test_zstd(self):
        support.make_tar(self.path("j.tar"), self.folder, "job")
        subprocess.run(["zstd", "-q", "--rm", self.path("j.tar")], check=True)
        self.compare(self.path("j.tar.zst"))

    def test_holes_of_sparse_files_are_zeros(self):
        path = self.path("sparse", "core.log")
        os.mkdir(self.path("sparse"))
        with open(path, "wb") as f:
            f.write(b"begin\n")
            f.seek(1 << 20)
            f.write(b"end\n")
            f.truncate(2 << 20)
        subprocess.run(["tar", "--sparse", "-cf", "s.tar", "sparse"], cwd=self.dir, check=True)
        sql = "SELECT path, bytes, fingerprint FROM source"
        rows = []
        for name in ("sparse", "s.tar"):
            self.run_tfpm("analyze", name, "-o", name + ".out")
            rows.append(self.run_tfpm("query", name + ".out", sql, "--format", "csv").stdout)
        self.assertEqual(rows[0], rows[1])
        self.assertIn(f"core.log,{2 << 20},", rows[0])

    def test_nested(self):
        os.mkdir(self.path("outer"))
        support.make_tar(self.path("outer", "job.tar.gz"), self.folder, "job", "w:gz")
        findings = self.analyze("outer", output="o")
        findings["unread"] = [u for u in findings["unread"] if u["path"] != "job.tar.gz"]
        self.assertEqual(strip_prefix(without_bundle(findings), "job.tar.gz/"), self.plain)

    def test_compressed_members(self):
        import gzip
        log = self.path("job", "logs", "worker-0.log")
        with open(log, "rb") as f:
            data = gzip.compress(f.read())
        os.remove(log)
        with open(log + ".gz", "wb") as f:
            f.write(data)
        findings = self.analyze("job", output="z")
        self.assertEqual(findings["verdict"], self.plain["verdict"])

    def test_one_argument_per_host(self):
        for task in (0, 1):
            files = {p: t for p, t in support.bundle_files().items() if f"worker-{task}" in p}
            support.make_tar(self.path(f"host{task}.tgz"), support.write_files(self.path(f"h{task}"), files), "run", "w:gz")
        launcher = self.path("job", "logs", "launcher.log")
        findings = self.analyze("host1.tgz", launcher, "host0.tgz", output="m")
        self.assertEqual(findings["verdict"]["workers"], ["worker-1"])
        self.assertIn("host1/logs/worker-1.log", [e["source"] for e in findings["evidence"]])


if __name__ == "__main__":
    support.main()
