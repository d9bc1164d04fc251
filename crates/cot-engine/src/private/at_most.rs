//! Checks `at_most` of a process with sub-processes, at compile time.

use cot_bounds::{Bound, Quantity, WorstCase};

use super::{const_text::ConstText, recursion::DeepestLevel};
use crate::process::{bounds::Bounded, process::Process};

/// Returns what a run of a process costs at most.
#[must_use]
pub const fn worst_case<P: Process>() -> WorstCase {
    <P::Bounds<DeepestLevel> as Bounded>::RUN
}

/// Fails to compile if a run of a process can have more of a quantity than `limit`.
#[track_caller]
pub const fn check_at_most<P: Process>(quantity: Quantity, limit: u64) {
    let case = worst_case::<P>();
    let bound: Bound = case.bound(quantity);
    if bound.is_within(limit) {
        return;
    }
    let mut text = ConstText::new();
    match bound.get() {
        Some(number) => {
            text.push("a run of `");
            text.push(P::DEFINITION.about.name);
            text.push("` can have ");
            text.push_number(number);
            text.push(" ");
            text.push(quantity.as_str());
            text.push(", those of its sub-processes included");
        }
        None => {
            text.push("the ");
            text.push(quantity.as_str());
            text.push(" of a run of `");
            text.push(P::DEFINITION.about.name);
            text.push("` and its sub-processes have no bound");
        }
    }
    text.push(", and `at_most` allows ");
    text.push_number(limit);
    text.push(": `cot layout` shows the bounds of each process [COT0245]");
    text.panic();
}
