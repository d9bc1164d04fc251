-- The calls whose tokens are not known.
ALTER TABLE runs ADD COLUMN uncounted_calls INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spending ADD COLUMN uncounted_calls INTEGER NOT NULL DEFAULT 0;
