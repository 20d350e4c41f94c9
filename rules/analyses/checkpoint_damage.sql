-- id: checkpoint-damage
-- title: a checkpoint is damaged or incomplete
-- class: checkpoint-corrupt
-- needs: checkpoint
-- weight_db: 40
-- why: algorithms.md 4.6 and 8: a stored checksum that the bytes do not have, a short shard, an unreadable index; missing
-- files are checkpoint-incomplete. Damage that nothing restored is a finding, and the verdict only when nothing else failed.
SELECT NULL AS worker_id, (SELECT max(generation) FROM step_state) AS generation, c.step AS step_lo, c.step AS step_hi, NULL AS confidence_cap,
       NULL AS weight_db,
       c.prefix || ': ' || coalesce(c.problem, c.completeness || ', ' || c.integrity) AS summary,
       (SELECT json_group_array(ref) FROM (
          SELECT 'tensor:' || t.checkpoint_id || '#' || t.name AS ref FROM checkpoint_tensor t
           WHERE t.checkpoint_id = c.id AND t.status NOT IN ('ok', 'unread') ORDER BY t.shard, t.byte_offset LIMIT 6)
       ) AS evidence_event_ids,
       CASE WHEN c.completeness IN ('shard-missing', 'data-no-index', 'temp-only', 'absent') THEN 'checkpoint-incomplete' END AS class,
       c.prefix AS group_key, 'remains-damage' AS kind
  FROM checkpoint c
 WHERE (c.completeness IN ('index-unreadable', 'shard-missing', 'shard-short', 'data-no-index', 'temp-only') OR c.integrity = 'crc-bad')
UNION ALL
SELECT NULL, (SELECT max(generation) FROM step_state), c.step, c.step, NULL, 5,
       c.prefix || ': ' || coalesce(c.problem, c.completeness), json_array('checkpoint:' || c.id),
       CASE WHEN c.completeness IN ('shard-missing', 'data-no-index', 'temp-only', 'absent') THEN 'checkpoint-incomplete' END, c.prefix, 'remains-place'
  FROM checkpoint c
 WHERE (c.completeness IN ('index-unreadable', 'shard-missing', 'shard-short', 'data-no-index', 'temp-only') OR c.integrity = 'crc-bad')
