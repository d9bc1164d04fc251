//! Tests of cot-core through its public surface. The README's program is compiled here.
#![doc = include_str!("../../README.md")]
