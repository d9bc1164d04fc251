//! Tests of cot-core through its public surface.
