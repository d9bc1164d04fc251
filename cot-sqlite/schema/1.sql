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
    -- All of the status, as JSON.
    standing TEXT NOT NULL,
    asks TEXT AS (standing ->> '$.key'),
    question TEXT AS (standing ->> '$.question'),
    since INTEGER AS (standing ->> '$.since'),
    until INTEGER AS (standing ->> '$.until'),
    why TEXT AS (standing ->> '$.why')
) STRICT;
CREATE INDEX runs_begun ON runs (begun);
CREATE INDEX runs_unfinished ON runs (begun) WHERE NOT is_ended;

-- What the runs were told and where they stood, in order.
CREATE TABLE journal (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    -- begun, step; replied, failed, ran, answered, timed_out, woken, cancelled.
    kind TEXT NOT NULL,
    task TEXT,
    -- What was asked, for an event that answers a call.
    key TEXT,
    attempt INTEGER,
    engine TEXT,
    -- The ids of the segments that the model was sent, as a JSON array.
    prompt TEXT,
    -- The text that the model replied.
    reply TEXT,
    -- How long the call took.
    millis INTEGER,
    -- Whether the run can be read from here on.
    is_whole INTEGER NOT NULL,
    -- All else that the entry says, as JSON.
    body TEXT NOT NULL,
    -- CRC-32 of what the entry says.
    sum INTEGER NOT NULL,
    UNIQUE (run, number)
) STRICT;
CREATE INDEX journal_whole ON journal (run, number) WHERE is_whole;

-- What prompts are made of. Fixed texts are shared by all runs, others belong to one.
CREATE TABLE segments (
    id INTEGER PRIMARY KEY,
    run INTEGER REFERENCES runs ON DELETE CASCADE,
    -- CRC-32 of the text.
    sum INTEGER NOT NULL,
    part TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX segments_sum ON segments (run, sum);

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
FROM runs JOIN journal ON journal.run = runs.id;

CREATE VIEW calls AS
SELECT runs.run, runs.process, number, strftime('%Y-%m-%d %H:%M:%f', at / 1000.0, 'unixepoch') AS at, kind,
    journal.task, key, attempt, engine, reply, millis,
    body ->> '$.replied.reply.usage.input_tokens' AS input_tokens,
    body ->> '$.replied.reply.usage.output_tokens' AS output_tokens,
    COALESCE(body ->> '$.replied.reply.usage.cost', 0) AS cost
FROM runs JOIN journal ON journal.run = runs.id
WHERE prompt IS NOT NULL;

CREATE VIEW prompts AS
SELECT runs.run, number, journal.task, journal.key, ids.key AS position, part, segments.kind, text
FROM runs JOIN journal ON journal.run = runs.id JOIN json_each(journal.prompt) AS ids
    JOIN segments ON segments.id = ids.value;

CREATE VIEW notes AS
SELECT runs.run, number, strftime('%Y-%m-%d %H:%M:%f', at / 1000.0, 'unixepoch') AS at, notes.key AS position,
    notes.value ->> '$.note' AS note, notes.value ->> '$.task' AS task, notes.value AS body
FROM runs JOIN journal ON journal.run = runs.id JOIN json_each(journal.body, '$.notes') AS notes
WHERE journal.kind = 'step';

CREATE VIEW waiting AS
SELECT run, process, task, asks AS key, question, standing -> '$.schema' AS schema,
    strftime('%Y-%m-%d %H:%M:%f', since / 1000.0, 'unixepoch') AS since,
    strftime('%Y-%m-%d %H:%M:%f', until / 1000.0, 'unixepoch') AS until
FROM runs WHERE status = 'asking';
