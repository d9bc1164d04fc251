-- Times are milliseconds since 1970. Costs are in the unit of the engines' prices.

-- One row for each run: what is known of it without reading its journal.
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    run TEXT NOT NULL UNIQUE,
    process TEXT NOT NULL,
    -- running, asking, sleeping; end, fail, ran_out, halted.
    status TEXT NOT NULL,
    is_ended INTEGER NOT NULL,
    task TEXT NOT NULL,
    steps INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cost REAL NOT NULL,
    begun INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    -- Of which run it is a fork, and how many steps they have in common.
    origin TEXT,
    origin_steps INTEGER,
    -- All of the status, as JSON; none while it is running.
    standing TEXT
) STRICT;
CREATE INDEX runs_begun ON runs (begun);
CREATE INDEX runs_unfinished ON runs (begun) WHERE NOT is_ended;

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
    -- CRC-32 of what the entry says.
    sum INTEGER NOT NULL,
    -- begun, step; replied, failed, ran, answered, timed_out, woken, cancelled.
    kind TEXT NOT NULL,
    task TEXT,
    -- What was asked, for an event that answers a call.
    key TEXT,
    attempt INTEGER,
    engine TEXT,
    -- How long the call took.
    millis INTEGER,
    -- The text that the model replied.
    reply TEXT,
    -- All else that the entry says, as JSON.
    body TEXT NOT NULL,
    -- What the model was sent, as a JSON array of texts: the id of a fixed one in `segments`; or for one that
    -- varies its part, and from which character on how many of `texts` it is. If a number follows, it is in
    -- the `texts` of the entry of this number.
    prompt TEXT,
    texts TEXT
) STRICT;
CREATE INDEX journal_whole ON journal (id) WHERE is_whole;
CREATE TRIGGER journal_of_run AFTER DELETE ON runs BEGIN
    DELETE FROM journal WHERE id BETWEEN old.id << 32 AND (old.id << 32) + 0xffffffff;
END;

-- The texts of prompts that are the same for all runs.
CREATE TABLE segments (
    id INTEGER PRIMARY KEY,
    -- CRC-32 of the text.
    sum INTEGER NOT NULL,
    part TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX segments_sum ON segments (sum);

-- Answers of people that no driver has taken yet.
CREATE TABLE answers (
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    key TEXT NOT NULL,
    at INTEGER NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;

-- Who drives what. The lease is worth something as long as the owner's file beside the database is locked.
CREATE TABLE leases (
    epoch INTEGER PRIMARY KEY AUTOINCREMENT,
    run TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    since INTEGER NOT NULL
) STRICT;

-- For people.

CREATE VIEW entries AS
SELECT runs.run, number, strftime('%Y-%m-%d %H:%M:%f', at / 1000.0, 'unixepoch') AS at, kind, journal.task, key,
    attempt, engine, reply, millis, body
FROM runs JOIN journal ON journal.id BETWEEN runs.id << 32 AND (runs.id << 32) + 0xffffffff;

CREATE VIEW calls AS
SELECT runs.run, runs.process, number, strftime('%Y-%m-%d %H:%M:%f', at / 1000.0, 'unixepoch') AS at, kind,
    journal.task, key, attempt, engine, reply, millis,
    body ->> '$.replied.reply.usage.input_tokens' AS input_tokens,
    body ->> '$.replied.reply.usage.output_tokens' AS output_tokens,
    COALESCE(body ->> '$.replied.reply.usage.cost', 0) AS cost
FROM runs JOIN journal ON journal.id BETWEEN runs.id << 32 AND (runs.id << 32) + 0xffffffff
WHERE prompt IS NOT NULL;

CREATE VIEW prompts AS
SELECT runs.run, journal.number, journal.task, journal.key, texts.key AS position,
    COALESCE(segments.part, texts.value ->> 0) AS part, iif(segments.id, 'fixed', 'variable') AS kind,
    COALESCE(segments.text, substr(source.texts, texts.value ->> 1, texts.value ->> 2)) AS text
FROM runs JOIN journal ON journal.id BETWEEN runs.id << 32 AND (runs.id << 32) + 0xffffffff JOIN json_each(journal.prompt) AS texts
    LEFT JOIN segments ON texts.type = 'integer' AND segments.id = texts.value
    LEFT JOIN journal AS source ON texts.type = 'array'
        AND source.id = (runs.id << 32) + COALESCE(texts.value ->> 3, journal.number);

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
