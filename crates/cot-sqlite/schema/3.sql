-- `runs.status` can be `queued`: the run was submitted, and no worker has begun it.

-- Since when the run needs a driver; none while it has ended, is set aside, or waits for an answer without a
-- time limit. The row of a driven run has it too.
ALTER TABLE runs ADD COLUMN due INTEGER;
-- How many programs died with a lease of the run, one after the other, and the length of the journal then.
ALTER TABLE runs ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN crash_entries INTEGER NOT NULL DEFAULT 0;
-- Why workers leave the run alone, and since when.
ALTER TABLE runs ADD COLUMN set_aside TEXT;
ALTER TABLE runs ADD COLUMN set_aside_at INTEGER;

UPDATE runs SET due = CASE
    WHEN status = 'running' OR EXISTS (SELECT 1 FROM answers WHERE answers.run = runs.id) THEN updated
    ELSE standing ->> '$.until'
END WHERE NOT is_ended;

CREATE INDEX runs_due ON runs (process, due) WHERE due IS NOT NULL;
CREATE INDEX runs_set_aside ON runs (begun) WHERE set_aside IS NOT NULL;
