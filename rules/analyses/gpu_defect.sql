-- id: gpu-defect
-- title: nvidia-smi or DCGM shows a defect of a GPU
-- class: hardware-gpu
-- kind: gpu-state
-- needs: gpu_health
-- weight_db: 15
-- why: signatures.md 11.3: a recovery action, a failed or pending row remap and a remembered hardware Xid are defects, but none
-- says when it happened: the state alone never answers, it needs a word of the process or of the kernel beside it.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       'a GPU of ' || r.name || ' is defective: '
         || CASE WHEN h.remap_failed = 1 THEN 'no spare row was left to remap'
                 WHEN h.recovery_action IS NOT NULL THEN 'the driver asks for "' || h.recovery_action || '"'
                 WHEN h.last_xid IS NOT NULL THEN 'its last Xid is ' || h.last_xid
                 ELSE 'a row remap or page retirement waits for a reset' END AS summary,
       json_group_array('health:' || h.id) AS evidence_event_ids,
       CASE WHEN h.last_xid = 79 THEN 'off-bus' WHEN h.last_xid = 74 THEN 'nvlink'
            WHEN h.remap_failed = 1 OR h.remap_pending = 1 OR h.retired_pending = 1 OR h.last_xid IN (48, 63, 64, 94, 95) THEN 'ecc'
            WHEN h.last_xid IS NOT NULL THEN CAST(h.last_xid AS TEXT) END AS cause
  FROM gpu_health h JOIN run r ON h.owner = r.name OR h.owner = r.host
 WHERE (h.remap_failed = 1 OR h.remap_pending = 1 OR h.retired_pending = 1
        OR h.recovery_action IN ('Reset', 'GPU Reset', 'Reboot', 'Node Reboot', 'Drain and Reset')
        OR h.last_xid IN (SELECT c.xid FROM xid_catalogue c WHERE c.who IN ('H', 'L', 'D/H', 'H/D')))
   AND r.generation = (SELECT max(generation) FROM step_state) AND r.ending NOT IN ('finished', 'excused')
 GROUP BY r.worker_id
