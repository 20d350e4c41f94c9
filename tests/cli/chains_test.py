"""What the database says of an error that came through several tasks, and of the lives of a task."""

import sqlite3
import unittest

import support

CHAIN = ("E0000 00:00:1772719530.472828    6567 base_collective_executor.cc:249] BaseCollectiveExecutor::StartAbort UNAVAILABLE: Socket closed\n"
         "Additional GRPC error information from remote target /job:worker/replica:0/task:1 while calling /tensorflow.WorkerService/RecvBuf:\n"
         ':UNKNOWN:Error received from peer  {grpc_message:"Socket closed\\nAdditional GRPC error information from remote target '
         '/job:worker/replica:0/task:2 while calling /tensorflow.WorkerService/GetStepSequence:\\n", grpc_status:14}\n')
CONNECTED = "I0000 00:00:{}.000000    6567 coordination_service.cc:637] /job:worker/replica:0/task:2 has connected to coordination service. Incarnation: {}\n"


class Chains(support.Case):
    def test_hops_and_incarnations(self):
        log = CONNECTED.format(1772719510, 5260416918246180357) + CONNECTED.format(1772719520, 91) + CHAIN
        support.write_files(self.path("job"), {"logs/worker-0.log": log})
        self.run_tfpm("analyze", "job", "-o", "out", "-q", code=(0, 3))
        db = sqlite3.connect(self.path("out", "tfpm.db"))
        self.addCleanup(db.close)
        hops = db.execute("SELECT DISTINCT n, job, task, method FROM event_hop ORDER BY n").fetchall()
        self.assertEqual(hops, [(0, "worker", 2, "/tensorflow.WorkerService/GetStepSequence"), (1, "worker", 1, "/tensorflow.WorkerService/RecvBuf")])
        self.assertEqual(db.execute("SELECT count(*) FROM event_hop h LEFT JOIN event e ON e.id = h.event_id WHERE e.id IS NULL").fetchone(), (0,))
        lives = db.execute("SELECT job, task, incarnation, line FROM task_incarnation").fetchall()
        self.assertEqual(lives, [("worker", 2, "5260416918246180357", 1), ("worker", 2, "91", 2)])


if __name__ == "__main__":
    support.main()
