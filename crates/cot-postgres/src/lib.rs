//! A store of runs in Postgres.
