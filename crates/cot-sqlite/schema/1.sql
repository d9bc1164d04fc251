-- Times are milliseconds since 1970. Costs are in the unit of the engines' prices.

-- One row for each run: what is known of it without reading its journal.
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL UNIQUE,
    process TEXT NOT NULL,
    -- queued: no worker has begun it; running, asking, sleeping; end, fail, ran_out, halted.
    status TEXT NOT NULL,
    is_ended INTEGER NOT NULL,
    task TEXT NOT NULL,
    steps INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    -- The calls whose tokens are not known.
    uncounted_calls INTEGER NOT NULL DEFAULT 0,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL DEFAULT 0,
    cache_write_tokens INTEGER NOT NULL DEFAULT 0,
    reasoning_tokens INTEGER NOT NULL DEFAULT 0,
    cost REAL NOT NULL,
    begun INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    -- Of which run it is a fork, and how many steps they have in common.
    origin TEXT,
    origin_steps INTEGER,
    -- All of the status, as JSON; none while it is running.
    standing TEXT,
    -- Since when the run needs a driver; none while it has ended, is set aside, or waits for an answer without a
    -- time limit. The row of a driven run has it too.
    due INTEGER,
    -- How many programs died with a lease of the run, one after the other, and the length of the journal then.
    crashes INTEGER NOT NULL DEFAULT 0,
    crash_entries INTEGER NOT NULL DEFAULT 0,
    -- Why workers leave the run alone, and since when.
    set_aside TEXT,
    set_aside_at INTEGER,
    -- Reserved for labels of the run, as a JSON object. No program writes it yet.
    labels TEXT,
    -- How urgent it is that people attend to the run, the smallest number first: runs that wait for an answer, by the
    -- end of their time limit, those without one last; then runs that are set aside; then all others.
    attention INTEGER AS (CASE
        WHEN status = 'asking' THEN COALESCE(standing ->> '$.until', 9000000000000000)
        WHEN set_aside_at IS NOT NULL THEN 9000000000000001
        ELSE 9000000000000002
    END)
) STRICT;
CREATE INDEX runs_begun ON runs (begun);
CREATE INDEX runs_unfinished ON runs (begun) WHERE NOT is_ended;
CREATE INDEX runs_due ON runs (process, due) WHERE due IS NOT NULL;
CREATE INDEX runs_attention ON runs (attention, begun DESC, id DESC);
CREATE INDEX runs_updated ON runs (updated, begun);
CREATE INDEX runs_status ON runs (status, begun);
CREATE INDEX runs_running ON runs (id) WHERE status = 'running';
CREATE INDEX runs_set_aside ON runs (begun) WHERE set_aside_at IS NOT NULL;
-- All that runs are selected and sorted by but their names and texts, so that no other page is read.
CREATE INDEX runs_selected ON runs
    (process, begun, status, is_ended, set_aside_at, attention, task, updated, cost, steps);

-- What the runs were told and where they stood, in order.
CREATE TABLE journal (
    -- The run and the number of the entry in one, so that what belongs together lies together.
    id INTEGER PRIMARY KEY,
    -- The id of the run.
    run INTEGER AS (id >> 32),
    number INTEGER AS (id & 0xffffffff),
    at INTEGER NOT NULL,
    -- Whether the run can be read from here on.
    is_whole INTEGER NOT NULL,
    -- SHA-256 of the hash of the entry before, and of what this entry says.
    hash BLOB NOT NULL,
    -- submitted, begun, step; replied, failed, ran, answered, started, interrupted, timed_out, woken, cancelled.
    kind TEXT NOT NULL,
    task TEXT,
    -- What was asked, for an event that answers a call.
    key TEXT,
    attempt INTEGER,
    engine TEXT,
    -- The version of the program that made the call.
    program TEXT,
    -- How long the call took.
    millis INTEGER,
    -- The text that the model replied.
    reply TEXT,
    -- All else that the entry says, as JSON.
    body TEXT NOT NULL,
    -- What the model was sent, as a JSON array of texts: the id of a fixed one in `segments`; or for one that
    -- varies its part and its stability, and from which character on how many of `texts` it is. If a number follows,
    -- it is in the `texts` of the entry of this number; if another one follows, it continues the text before it.
    prompt TEXT,
    texts TEXT,
    -- Which marked fields the prompt shows, and whether the prompt and the reply are untrusted, as JSON. Null if nothing
    -- is marked, and in entries of programs that did not write it.
    marks TEXT
) STRICT;
CREATE INDEX journal_whole ON journal (id) WHERE is_whole;
CREATE TRIGGER journal_of_run AFTER DELETE ON runs BEGIN
    DELETE FROM journal WHERE id BETWEEN old.id << 32 AND (old.id << 32) + 0xffffffff;
END;

-- The texts of prompts that are the same for all runs.
CREATE TABLE segments (
    id INTEGER PRIMARY KEY,
    -- CRC-32 of the text, by which it is found.
    sum INTEGER NOT NULL,
    part TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX segments_sum ON segments (sum);

-- Images and documents that states contain.
CREATE TABLE blobs (
    -- `sha256:` and the digest of the bytes in hexadecimal.
    digest TEXT NOT NULL PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;
CREATE TABLE blob_uses (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    digest TEXT NOT NULL REFERENCES blobs,
    PRIMARY KEY (run, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_uses_digest ON blob_uses (digest);
CREATE TRIGGER unused_blobs AFTER DELETE ON blob_uses BEGIN
    DELETE FROM blobs WHERE digest = old.digest
        AND NOT EXISTS (SELECT 1 FROM blob_uses WHERE digest = old.digest);
END;

-- Answers of people that no driver has taken yet.
CREATE TABLE answers (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    key TEXT NOT NULL,
    at INTEGER NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;

-- Requests to cancel a run that no driver has applied yet.
CREATE TABLE cancels (
    run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE,
    at INTEGER NOT NULL,
    reason TEXT NOT NULL
) STRICT;

-- Who drives what. The lease is worth something as long as the owner's file beside the database is locked.
CREATE TABLE leases (
    epoch INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    since INTEGER NOT NULL
) STRICT;

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
    uncounted_calls INTEGER NOT NULL,
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

-- For people.

CREATE VIEW entries AS
SELECT runs.run, number, strftime('%Y-%m-%d %H:%M:%f', at / 1000.0, 'unixepoch') AS at, kind, journal.task, key,
    attempt, engine, program, reply, millis, body
FROM runs JOIN journal ON journal.id BETWEEN runs.id << 32 AND (runs.id << 32) + 0xffffffff;

CREATE VIEW calls AS
SELECT runs.run, runs.process, number, strftime('%Y-%m-%d %H:%M:%f', at / 1000.0, 'unixepoch') AS at, kind,
    journal.task, key, attempt, engine, program, reply, millis,
    body ->> '$.replied.reply.usage.input_tokens' AS input_tokens,
    body ->> '$.replied.reply.usage.output_tokens' AS output_tokens,
    COALESCE(body ->> '$.replied.reply.usage.cached_tokens', 0) AS cached_tokens,
    COALESCE(body ->> '$.replied.reply.usage.cache_write_tokens', 0) AS cache_write_tokens,
    COALESCE(body ->> '$.replied.reply.usage.reasoning_tokens', 0) AS reasoning_tokens,
    COALESCE(body ->> '$.replied.reply.usage.cost', 0) AS cost
FROM runs JOIN journal ON journal.id BETWEEN runs.id << 32 AND (runs.id << 32) + 0xffffffff
WHERE prompt IS NOT NULL;

CREATE VIEW prompts AS
SELECT runs.run, journal.number, journal.task, journal.key, texts.key AS position,
    COALESCE(segments.part, texts.value ->> 0) AS part,
    iif(segments.id, 'fixed', texts.value ->> 1) AS stability,
    COALESCE(segments.text, substr(source.texts, texts.value ->> 2, texts.value ->> 3)) AS text
FROM runs JOIN journal ON journal.id BETWEEN runs.id << 32 AND (runs.id << 32) + 0xffffffff
    JOIN json_each(journal.prompt) AS texts
    LEFT JOIN segments ON texts.type = 'integer' AND segments.id = texts.value
    LEFT JOIN journal AS source ON texts.type = 'array'
        AND source.id = (runs.id << 32) + COALESCE(texts.value ->> 4, journal.number);

CREATE VIEW notes AS
SELECT runs.run, number, strftime('%Y-%m-%d %H:%M:%f', at / 1000.0, 'unixepoch') AS at, notes.key AS position,
    notes.value ->> '$.note' AS note, notes.value ->> '$.task' AS task, notes.value AS body
FROM runs JOIN journal ON journal.id BETWEEN runs.id << 32 AND (runs.id << 32) + 0xffffffff JOIN json_each(journal.body, '$.notes') AS notes
WHERE journal.kind = 'step';

CREATE VIEW waiting AS
SELECT run, process, task, standing ->> '$.key' AS key, standing ->> '$.question' AS question,
    standing -> '$.schema' AS schema,
    strftime('%Y-%m-%d %H:%M:%f', (standing ->> '$.since') / 1000.0, 'unixepoch') AS since,
    strftime('%Y-%m-%d %H:%M:%f', (standing ->> '$.until') / 1000.0, 'unixepoch') AS until
FROM runs WHERE status = 'asking';
