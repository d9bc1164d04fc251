-- How urgent it is that people attend to the run, the smallest number first: runs that wait for an answer, by the
-- end of their time limit, those without one last; then runs that are set aside; then all others.
ALTER TABLE runs ADD COLUMN attention INTEGER AS (CASE
    WHEN status = 'asking' THEN COALESCE(standing ->> '$.until', 9000000000000000)
    WHEN set_aside_at IS NOT NULL THEN 9000000000000001
    ELSE 9000000000000002
END);

CREATE INDEX runs_attention ON runs (attention, begun DESC, id DESC);
CREATE INDEX runs_updated ON runs (updated, begun);
CREATE INDEX runs_status ON runs (status, begun);
CREATE INDEX runs_running ON runs (id) WHERE status = 'running';
DROP INDEX runs_set_aside;
CREATE INDEX runs_set_aside ON runs (begun) WHERE set_aside_at IS NOT NULL;
-- All that runs are selected and sorted by but their names and texts, so that no other page is read.
CREATE INDEX runs_selected ON runs
    (process, begun, status, is_ended, set_aside_at, attention, task, updated, cost, steps);

-- What runs have used, by day, process, task and engine. The entries of a running run from `runs.entries` on are not
-- in it yet; the usage of a removed run is kept.
CREATE TABLE spending (
    -- Days since 1970, in UTC.
    day INTEGER NOT NULL,
    process TEXT NOT NULL,
    task TEXT NOT NULL,
    -- Empty if neither the task nor the process names an engine.
    engine TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    failed_attempts INTEGER NOT NULL,
    repairs INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cost REAL NOT NULL,
    PRIMARY KEY (day, process, task, engine)
) STRICT, WITHOUT ROWID;

-- Descriptions of processes, as their programs have stored them last.
CREATE TABLE processes (
    name TEXT NOT NULL PRIMARY KEY,
    version TEXT NOT NULL,
    at INTEGER NOT NULL,
    -- The tasks, their settings and the edges between them, as JSON.
    manifest TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Requests to cancel a run that no driver has applied yet.
CREATE TABLE cancels (
    run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    at INTEGER NOT NULL,
    reason TEXT NOT NULL
) STRICT;
