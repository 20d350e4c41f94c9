"""A full disk, at whatever point it strikes: exit 2, a clear message, nothing left behind."""

import os
import resource
import unittest

import support


class DiskFull(support.Case):
    def test_every_point_of_a_run(self):
        self.bundle()
        self.run_tfpm("analyze", "job", "-o", "whole")
        largest = max(os.path.getsize(self.path("whole", name)) for name in os.listdir(self.path("whole")))
        # A file larger than the limit fails as on a full disk (EFBIG instead of ENOSPC).
        limits = [1, 4096, 16384, 16385, 40000, 65536, 100_000, largest // 4, largest // 2, largest - 16384, largest - 1]
        # The thread sanitizer itself writes a file before the program can ignore the signal of limit 0.
        if "thread" not in support.SANITIZE:
            limits.insert(0, 0)
        for limit in limits:
            with self.subTest(limit):
                result = self.run_tfpm("analyze", "job", "-o", "out", code=2,
                                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertIn("help:", result.stderr)
                self.assert_nothing_left("job", "whole")

    def test_an_earlier_output_survives(self):
        self.bundle()
        self.run_tfpm("analyze", "job", "-o", "out")
        before = self.contents("out")
        self.run_tfpm("analyze", "job", "-o", "out", "--force", code=2,
                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)))
        self.assertEqual(before, self.contents("out"))

    def contents(self, folder):
        files = {}
        for name in os.listdir(self.path(folder)):
            with open(self.path(folder, name), "rb") as file:
                files[name] = file.read()
        return files


class Unreadable(support.Case):
    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_permission(self):
        self.bundle()
        os.chmod(self.path("job", "logs", "worker-0.log"), 0)
        findings = self.analyze("job", code=3)
        self.assertIn("logs/worker-0.log", [u["path"] for u in findings["unread"]])
        os.chmod(self.path("job"), 0)
        self.run_tfpm("analyze", "job", "-o", "no", code=2)
        os.chmod(self.path("job"), 0o700)

    def test_files_of_the_kernel_that_fail_to_read(self):
        # Regular files by their mode, of size 0, some of which fail on read.
        self.run_tfpm("analyze", "/proc/self/attr", "-o", "out", code=(0, 2, 3))


if __name__ == "__main__":
    support.main()
