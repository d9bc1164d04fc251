//! Tests of the lookup of values.

mod exact;
mod notation;
