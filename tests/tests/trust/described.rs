//! What a description says about trust.

use cot_core::prelude::*;
use serde_json::json;

use crate::desks::{Careless, Payment, Summary};

cot_process! {
    process Clinic {
        state: {
            untrusted input mail: String,
            private input name: String,
            summary: String = String::new(),
        },
        model: "cloud",
        private: ["local"],
        trust: strict,
        history: { untrusted: quoted },

        task read -> Summary {
            prompt: "Sum up:\n${quoted(state.mail)}",
            update: { summary = output.text },
            next: match_it,
        }

        task match_it -> Payment {
            model: "local",
            prompt: "Does it concern ${state.name}?\n${quoted(&state.summary)}",
            no_history,
            next: done,
        }

        task done { end }
    }
}

#[test]
fn fields_are_described_with_the_engines_that_they_reach() {
    let description = Clinic::describe();
    let flow = |task: &str, shown: &[&str], engine: &str| json!({ "task": task, "shown": shown, "engines": [engine], "untrusted": true });
    let expected = json!({
        "strict": true,
        "untrusted": ["mail"],
        "private": ["name"],
        "private_members": ["name"],
        "engines": ["local"],
        "history": "quoted",
        "flows": [flow("read", &["mail"], "cloud"), flow("match_it", &["mail", "name"], "local")],
    });
    assert_eq!(description.manifest()["trust"], expected);
    let text = description.text();
    for line in [
        "Trust: strict; untrusted: mail; private: name",
        "  read: shows mail to cloud; what comes of it is untrusted",
        "  match_it: shows mail, name to local; what comes of it is untrusted",
    ] {
        assert!(text.lines().any(|it| it == line), "no `{line}` in {text}");
    }
}

#[test]
fn a_process_without_marks_is_described_as_before() {
    let description = Careless::describe();
    assert_eq!(description.manifest().get("trust"), None);
    assert!(!description.text().contains("Trust"));
}
