-- id: iommu-fault
-- title: the host's IOMMU refused accesses of a device while its task hung
-- class: collective-fabric
-- cause: iommu
-- kind: iommu
-- needs: kernel_event
-- weight_db: 30
-- why: algorithms.md 4.3 f: copies between devices go through the IOMMU when access control services are on; refused, they
-- never complete or carry wrong bytes. Only on the host of a task that did not end well; the word is capped.
SELECT r.worker_id, r.generation, NULL AS step_lo, NULL AS step_hi, 'supported' AS confidence_cap, NULL AS weight_db,
       'the IOMMU of ' || coalesce(r.host, r.name) || ' refused ' || count(*) || ' access(es) of ' || coalesce(min(k.pci_bus), 'a device') AS summary,
       (SELECT json_group_array('kernel:' || id) FROM (SELECT o.id FROM kernel_event o WHERE o.kind = 'iommu-fault' AND o.owner IS k.owner ORDER BY o.id LIMIT 3)) AS evidence_event_ids
  FROM kernel_event k JOIN run r ON k.owner IN (r.name, r.host) AND r.generation = (SELECT max(generation) FROM step_state)
 WHERE k.kind = 'iommu-fault' AND r.ending NOT IN ('finished', 'excused')
 GROUP BY r.worker_id, r.generation
