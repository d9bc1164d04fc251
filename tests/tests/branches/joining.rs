//! A run within branches, in a process that has changed.

use cot_core::{Machine, ResumeOptions, prelude::*};

use super::process::{Note, Trip, answer, note, started, waits_for};

cot_process! {
    process Haltless {
        state: Trip,
        max_retries: 0,
        parallel both [one, other] => done
        task one -> Note { full_prompt: "one", update: left[], next: done }
        task other -> Note { full_prompt: "other", update: right[], next: done }
        task done { end }
    }
}

mod changed {
    use super::*;

    cot_process! {
        /// The same process with another branch.
        pub(super) process Haltless {
            state: Trip,
            max_retries: 0,
            parallel both [one, third] => done
            task one -> Note { full_prompt: "one", update: left[], next: done }
            task third -> Note { full_prompt: "third", update: right[], next: done }
            task done { end }
        }
    }
}

mod longer {
    use super::*;

    cot_process! {
        /// The same process with a longer branch and another join.
        pub(super) process Haltless {
            state: Trip,
            max_retries: 0,
            parallel both [one, other] => after
            task one -> Note { full_prompt: "one", update: left[], next: after }
            task other -> Note { full_prompt: "other", update: right[], next: more }
            task more -> Note { full_prompt: "more", update: right[], next: after }
            task after -> Note { full_prompt: "after", next: done }
            task done { end }
        }
    }
}

#[test]
fn a_run_within_branches_depends_on_their_tasks() {
    let mut machine = started::<Haltless>(Trip::new());
    answer(&mut machine, "one", note("1"));
    let snapshot = machine.snapshot().unwrap();
    assert_eq!(snapshot.task(), "both");
    let refused = Machine::<changed::Haltless>::resume(snapshot.clone(), ResumeOptions::new());
    let error = refused.unwrap_err().to_string();
    assert!(error.contains("the branches of its task `both`"), "{error}");
    assert!(error.contains("its task `other` no longer exists"), "{error}");
    let mut longer = Machine::<longer::Haltless>::resume(
        snapshot,
        ResumeOptions::new().accept_changed_prompts(),
    )
    .unwrap();
    assert_eq!(waits_for(&mut longer), ["other"]);
    answer(&mut longer, "other", note("2"));
    answer(&mut longer, "more", note("3"));
    assert_eq!(waits_for(&mut longer), ["after"]);
}
