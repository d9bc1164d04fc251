//! Tests of what users see of errors, over the programs in `tests/ui`.

mod mends;
mod messages;
