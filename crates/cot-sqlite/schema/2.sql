-- Tokens of prompt caches and of thoughts.
ALTER TABLE runs ADD COLUMN cached_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN cache_write_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0;

-- The bytes of images and documents.
CREATE TABLE blobs (
    -- `sha256:` and the digest of the bytes in hexadecimal.
    digest TEXT NOT NULL PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;

-- The runs that refer to a blob.
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

DROP VIEW calls;
CREATE VIEW calls AS
SELECT runs.run, runs.process, number, strftime('%Y-%m-%d %H:%M:%f', at / 1000.0, 'unixepoch') AS at, kind,
    journal.task, key, attempt, engine, reply, millis,
    body ->> '$.replied.reply.usage.input_tokens' AS input_tokens,
    body ->> '$.replied.reply.usage.output_tokens' AS output_tokens,
    COALESCE(body ->> '$.replied.reply.usage.cached_tokens', 0) AS cached_tokens,
    COALESCE(body ->> '$.replied.reply.usage.cache_write_tokens', 0) AS cache_write_tokens,
    COALESCE(body ->> '$.replied.reply.usage.reasoning_tokens', 0) AS reasoning_tokens,
    COALESCE(body ->> '$.replied.reply.usage.cost', 0) AS cost
FROM runs JOIN journal ON journal.id BETWEEN runs.id << 32 AND (runs.id << 32) + 0xffffffff
WHERE prompt IS NOT NULL;

-- In `journal.prompt`, a text that is not fixed has its part, its stability, its first character and its
-- length. The number of the entry whose `texts` contain it follows, if it is another one, and a 1 if the text
-- continues the one before it. Entries of version 1 do not have the stability.
DROP VIEW prompts;
CREATE VIEW prompts AS
SELECT runs.run, journal.number, journal.task, journal.key, texts.key AS position,
    COALESCE(segments.part, texts.value ->> 0) AS part,
    CASE WHEN segments.id THEN 'fixed' WHEN places.shift THEN texts.value ->> 1 ELSE 'volatile' END AS stability,
    COALESCE(segments.text,
        substr(source.texts, texts.value ->> (1 + places.shift), texts.value ->> (2 + places.shift))) AS text
FROM runs JOIN journal ON journal.id BETWEEN runs.id << 32 AND (runs.id << 32) + 0xffffffff
    JOIN json_each(journal.prompt) AS texts
    JOIN (SELECT 0 AS shift UNION SELECT 1) AS places
        ON places.shift = iif(texts.type = 'array', json_type(texts.value, '$[1]') = 'text', 0)
    LEFT JOIN segments ON texts.type = 'integer' AND segments.id = texts.value
    LEFT JOIN journal AS source ON texts.type = 'array'
        AND source.id = (runs.id << 32) + COALESCE(texts.value ->> (3 + places.shift), journal.number);
