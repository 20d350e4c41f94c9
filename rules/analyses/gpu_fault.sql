-- id: gpu-fault
-- title: the driver reported a fault of a GPU
-- class: hardware-gpu
-- kind: kernel
-- needs: kernel_event
-- weight_db: 40
-- why: algorithms.md 4.6 and 11: off-bus and uncorrectable Xid are host evidence, independent of the program. Application
-- faults (13, 31, 43, 45 ...) are no proof of hardware and are left out.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       'the driver reported Xid ' || k.xid || coalesce(' (' || (SELECT c.meaning FROM xid_catalogue c WHERE c.xid = k.xid) || ')', '') || ' on '
         || coalesce(k.pci_bus, 'a GPU') || ' of ' || r.name || coalesce(': ' || (SELECT c.action FROM xid_catalogue c WHERE c.xid = k.xid), '') AS summary,
       json_group_array('kernel:' || k.id) AS evidence_event_ids,
       CASE WHEN k.xid = 79 THEN 'off-bus' WHEN k.xid IN (48, 63, 64, 92, 94, 95) THEN 'ecc' WHEN k.xid = 74 THEN 'nvlink' ELSE CAST(k.xid AS TEXT) END AS cause
  FROM kernel_event k JOIN run r
       ON k.owner = r.name OR k.owner = r.host OR EXISTS (SELECT 1 FROM worker_pid p WHERE p.worker_id = r.worker_id AND p.pid = k.pid)
 WHERE k.kind = 'xid' AND k.xid IN (48, 62, 64, 74, 79, 92, 94, 95, 109, 110, 119, 120, 136, 140, 143, 155, 156)
   AND r.generation = (SELECT max(generation) FROM step_state) AND r.ending NOT IN ('finished', 'excused')
 GROUP BY r.worker_id
