"""`tfpm export`: what it writes is what trace viewers read (Trace Event Format), and stands where it should."""

import json
import os

import support

REQUIRED = {"M": {"name", "ph", "pid", "tid", "args"}, "X": {"name", "cat", "ph", "ts", "dur", "pid", "tid", "args"},
            "i": {"name", "cat", "ph", "s", "ts", "pid", "tid", "args"}}


class Export(support.Case):
    def trace(self, extra=None):
        self.bundle(extra=extra)
        self.analyze("job")
        return json.loads(self.run_tfpm("export", "out", "--format", "chrome-trace").stdout)

    def check_schema(self, trace):
        self.assertEqual(list(trace), ["displayTimeUnit", "otherData", "traceEvents"])
        self.assertEqual(trace["displayTimeUnit"], "ms")
        named = {e["pid"] for e in trace["traceEvents"] if e["name"] == "process_name"}
        for event in trace["traceEvents"]:
            self.assertEqual(set(event), REQUIRED[event["ph"]], event)
            self.assertIn(event["pid"], named)
            self.assertIsInstance(event["name"], str)
            for key in {"ts", "dur", "pid", "tid"} & set(event):
                self.assertIsInstance(event[key], int)
                self.assertGreaterEqual(event[key], 0)

    def test_a_link_or_pipe_is_written_to_and_stays(self):
        self.bundle()
        self.analyze("job")
        target, link = self.path("target.json"), self.path("link.json")
        open(target, "w").close()
        os.symlink(target, link)
        self.run_tfpm("export", "out", "--format", "chrome-trace", "-o", link)
        self.assertTrue(os.path.islink(link))
        with open(target, encoding="utf-8") as f:
            self.assertIn("traceEvents", json.load(f))

    def test_steps_phases_and_failures_of_each_task(self):
        trace = self.trace()
        self.check_schema(trace)
        events = trace["traceEvents"]
        names = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
        self.assertEqual(sorted(names.values()), ["job", "worker-0", "worker-1"])
        for task in ("worker-0", "worker-1"):
            own = [e for e in events if names[e["pid"]] == task]
            steps = [e for e in own if e.get("cat") == "step"]
            self.assertEqual([e["args"]["step"] for e in steps], list(range(1, support.CRASH_STEP)))
            self.assertTrue(all(a["ts"] + a["dur"] == b["ts"] for a, b in zip(steps, steps[1:])))
            self.assertEqual({e["name"] for e in own if e.get("cat") == "phase"},
                             {"start-up", "training", "after the last step"})
        failures = [(names[e["pid"]], e["name"]) for e in events if e.get("cat") == "failure"]
        self.assertIn(("worker-1", "KeyError: 'cat'"), failures)

    def test_tasks_meet_on_the_common_clock(self):
        """A task whose clock is an hour ahead completes its steps when the others do."""
        ahead = support.worker_log(1, crash=True).replace("2026-03-05 14:", "2026-03-05 15:")
        trace = self.trace({"logs/worker-1.log": ahead})
        ends = {}
        for e in trace["traceEvents"]:
            if e.get("cat") == "step":
                ends.setdefault(e["args"]["step"], []).append(e["ts"] + e["dur"])
        self.assertTrue(all(max(v) - min(v) < 1_000_000 for v in ends.values()), ends)

    def test_a_run_without_stamps_is_drawn_by_steps(self):
        logs = {f"logs/worker-{task}.log": "".join(f"step {n} loss {9 / n:.4f}\n" for n in range(1, 12)) for task in (0, 1)}
        trace = self.trace(logs)
        self.check_schema(trace)
        self.assertEqual(trace["otherData"]["axis"], "one second a step")
        self.assertIn((4_000_000, 1_000_000), [(e["ts"], e["dur"]) for e in trace["traceEvents"] if e.get("cat") == "step"])

    def test_writes_a_file_and_refuses_what_it_cannot(self):
        self.trace()
        self.run_tfpm("export", "out", "--format", "chrome-trace", "-o", "trace.json")
        with open(self.path("trace.json"), encoding="utf-8") as f:
            self.check_schema(json.load(f))
        self.run_tfpm("export", "out", "--format", "svg", code=2)
        self.run_tfpm("export", "out", code=2)
        self.run_tfpm("export", "nowhere", "--format", "chrome-trace", code=2)


if __name__ == "__main__":
    support.main()
