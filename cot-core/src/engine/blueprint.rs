//! The tables of a process, under the path of before.

pub(crate) use crate::engine::process::{
    code::*, commit::CommitView, schemas::cache::SchemaCache, tables::*,
};
