"""Query plans of all analyses and views on a database: which of them read a large table again for every row of something else."""

import glob
import os
import re
import sqlite3

# Tables that grow with the logs, not with the tasks. A scan of one for every row of another is what makes a large job slow.
LARGE = ("event", "event_capture", "step_marker", "metric", "context_line", "logical_order", "marker_value", "minute_count")


class Nothing:
    """Stands for the aggregates that the engine adds: a plan needs their names alone."""

    def step(self, *values):
        pass

    def finalize(self):
        return None


def connect(path):
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    for name in ("median", "mad", "theil_sen", "mann_kendall", "percentile"):
        for arguments in (1, 2):
            db.create_aggregate(name, arguments, Nothing)
    return db


def text_of(sql, views):
    """A query with the definitions of all views it uses."""
    out, open_, seen = sql, [sql], set()
    while open_:
        for name in set(re.findall(r"\w+", open_.pop())) & views.keys() - seen:
            seen.add(name)
            out += "\n" + views[name]
            open_.append(views[name])
    return out


def table_of(alias, text):
    """The large table that an alias stands for wherever it is used in the text; None where it is, or may be, something smaller."""
    found = set(re.findall(rf"(?:\bFROM|\bJOIN|,)\s+(\w+)\s+(?:AS\s+)?{alias}\b", text))
    if re.search(rf"\)\s*(?:AS\s+)?{alias}\b", text):
        return None
    if not found:
        found = {alias}
    return found.pop() if len(found) == 1 and found <= set(LARGE) else None


def plan_of(db, sql):
    parameters = {name: 1 for name in re.findall(r":(\w+)", sql)}
    return [(node, parent, detail) for node, parent, _, detail in db.execute("EXPLAIN QUERY PLAN " + sql, parameters)]


def repeated_scans(plan):
    """Names that the plan scans inside a loop over something else, or once for each evaluation of a correlated subquery."""
    detail = {node: (text, parent) for node, parent, text in plan}

    def correlated(node):
        while node:
            text, node = detail[node]
            if text.startswith("MATERIALIZE"):  # done once, wherever it stands
                return False
            if text.startswith("CORRELATED"):
                return True
        return False

    loops = {}
    for node, parent, text in plan:
        scan = re.match(r"(SCAN|SEARCH) (\w+)(.*)", text)
        if not scan:
            continue
        inner = loops.get(parent, 0) > 0
        loops[parent] = loops.get(parent, 0) + 1
        if scan[1] == "SCAN" and "VIRTUAL TABLE" not in text and (inner or correlated(node)):
            yield scan[2]


def nested_scans(database, analyses):
    """A line for every analysis and view that scans a large table again and again."""
    db = connect(database)
    views = dict(db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'view'"))
    queries = {f"view {name}": f"SELECT * FROM {name}" for name in views}
    for path in sorted(glob.glob(os.path.join(analyses, "*.sql"))):
        with open(path, encoding="utf-8") as file:
            queries[f"analysis {os.path.basename(path)[:-4]}"] = "".join(line for line in file if not line.startswith("--"))
    out = []
    for name, sql in queries.items():
        text = text_of(sql, views)
        bad = sorted({table for table in (table_of(scan, text) for scan in repeated_scans(plan_of(db, sql))) if table})
        if bad:
            out.append(f"{name} scans {', '.join(bad)} for every row of something else")
    return out
