//! `#[cfg(…)]` in a process.

use cot_core::{model::ScriptedModel, prelude::*};

use crate::drive::Note;

mod outer {
    pub(super) use cot_core as reached;
}

cot_process! {
    /// Has tasks of some builds alone.
    process Conditional {
        crate: self::outer::reached,
        state: {
            notes: Vec<Note> = vec![],
            #[cfg(not(test))]
            missing: Vec<Missing> = Vec::<Missing>::new(),
            #[cfg(test)]
            count: u32 = 0,
        },

        task decide {
            transitions: {
                #[cfg(test)]
                write: "Write ${state.count}",
                #[cfg(any())]
                never: "Do ${state.missing}",
                done,
            },
        }

        /// Writes.
        #[cfg(test)]
        task write -> Note {
            update: {
                notes[] = output,
                #[cfg(all())]
                count = state.count + 1,
                #[cfg(not(test))]
                missing[] = output,
            },
            next: {
                #[cfg(any())]
                never,
                done,
            },
        }

        #[cfg(any())]
        task never -> Missing { next: done }
        task done { end }
    }
}

#[tokio::test]
async fn what_does_not_hold_is_not_there() {
    let model = ScriptedModel::new([
        r#"{ "intent": "begin", "goTo": "write", "stepAfter": "end" }"#,
        r#"{ "text": "a", "rank": 1 }"#,
    ]);
    let run = Conditional::runner().model(model).run(ConditionalState::new()).await.unwrap();
    assert_eq!((run.state.notes.len(), run.state.count), (1, 1));
    let names: Vec<_> = ConditionalTask::ALL.iter().map(|task| task.name()).collect();
    assert_eq!(names, ["decide", "write", "done"]);
}
