//! The numbers of a state are read back as they were.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

use cot_core::{Machine, ResumeOptions, Snapshot, cot_process};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

/// The state.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Numbers {
    all: Vec<f64>,
}

cot_process! {
    /// Ends at once.
    pub process Keeping {
        state: Numbers,

        task done { end }
    }
}

/// Stores a state and reads it.
fn stored_and_read(all: Vec<f64>) -> Vec<f64> {
    let mut machine = Machine::<Keeping>::new();
    machine.start(Numbers { all }).unwrap();
    let json = machine.snapshot().unwrap().to_json().unwrap();
    let machine =
        Machine::<Keeping>::resume(Snapshot::from_json(&json).unwrap(), ResumeOptions::new())
            .unwrap();
    machine.state().unwrap().all.clone()
}

proptest! {
    // The parser of `serde_json` without its feature `float_roundtrip` is wrong in the last bit of every third of
    // these numbers.
    #[test]
    fn every_number_is_read_as_it_was_written(
        any in prop::collection::vec(any::<f64>().prop_filter("JSON has no others", |it| it.is_finite()), 8),
        shares in prop::collection::vec(0.0..1.0_f64, 8),
    ) {
        let all = [any, shares].concat();
        let bits = |all: &[f64]| all.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&stored_and_read(all.clone())), bits(&all));
    }
}
