-- id: odd-line
-- title: it wrote a last line that nobody else wrote
-- class: *
-- needs: event
-- weight_db: 10
-- why: algorithms.md 4.4: what a task was about to do, when a hang or an early exit is examined; iterators run ahead, so up
-- to a dozen lines before the last common marker count.
SELECT o.worker_id, o.generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, NULL AS weight_db,
       r.name || ' wrote a line no peer wrote: ' || substr(o.text, 1, 120) AS summary,
       json_group_array(o.event_id) AS evidence_event_ids
  FROM odd_line o JOIN run r ON r.worker_id = o.worker_id AND r.generation = o.generation
 WHERE (r.ending IN ('cleaned-up', 'left-early')
        OR r.ending = 'silent' AND NOT EXISTS (SELECT 1 FROM run v WHERE v.generation = r.generation AND v.ending IN ('victim', 'crashed')))
 GROUP BY o.worker_id, o.generation
