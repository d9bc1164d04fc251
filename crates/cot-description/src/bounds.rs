//! The bounds of a process, and why some are missing.

use cot_engine::{
    Bound, Quantity, WorstCase,
    internal::{AtMost, BoundsDefinition, Definition},
};

use crate::facts::{AtMostFacts, BoundsFacts};

/// Returns the bounds of a process. Those of sub-processes are a cause for missing ones, too.
pub(crate) fn bounds(definition: &'static Definition) -> BoundsFacts {
    let BoundsDefinition { run, default_steps, at_most, causes } = definition.bounds;
    let mut unbounded: Vec<String> = causes.iter().map(|cause| (*cause).to_owned()).collect();
    let is_open = |case: &WorstCase| {
        Quantity::ALL.into_iter().any(|quantity| case.bound(quantity) == Bound::UNBOUNDED)
    };
    for task in definition.tasks {
        if let Some(inner) = task.kind.process().filter(|inner| is_open(&inner.bounds.run)) {
            unbounded.push(format!("`{}` runs {}", task.about.name, inner.about.name));
        }
    }
    // A limit of the process can bound what its tasks do not.
    unbounded.retain(|_| is_open(&run));
    BoundsFacts {
        worst_case: run,
        default_steps,
        at_most: at_most.map(|AtMost { calls, output_tokens, questions }| AtMostFacts {
            calls,
            output_tokens,
            questions,
        }),
        unbounded,
    }
}
