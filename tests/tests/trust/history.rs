//! What prompts show of the history of untrusted values.

use std::sync::Arc;

use cot_core::{model::ScriptedModel, prelude::*};
use serde_json::{Value, json};

use crate::desks::{Payment, Summary};

cot_process! {
    process Omitting {
        state: { untrusted input mail: String },
        trust: strict,
        history: { untrusted: omit },
        task greet -> Summary { prompt: "Greet", next: read }
        task read -> Payment { prompt: "Read\n${quoted(state.mail)}", next: answer }
        task answer -> Summary { prompt: "Answer", next: done }
        task done { end }
    }
}

cot_process! {
    process Quoting {
        state: { untrusted input mail: String },
        trust: strict,
        history: { untrusted: quoted },
        task greet -> Summary { prompt: "Greet", next: read }
        task read -> Payment { prompt: "Read\n${quoted(state.mail)}", next: answer }
        task answer -> Summary { prompt: "Answer", next: done }
        task done { end }
    }
}

fn replies() -> [Value; 3] {
    let hello = json!({ "text": "hello" });
    [hello.clone(), json!({ "payee": "```", "amount": 1 }), hello]
}

/// Returns what the last prompt shows of the history.
fn last_prompt(model: &ScriptedModel) -> String {
    let requests = model.requests();
    requests.last().map(|request| request.prompt().to_owned()).unwrap_or_default()
}

#[tokio::test]
async fn entries_of_untrusted_values_are_left_out() {
    let model = Arc::new(ScriptedModel::new(replies()).recording(true));
    let run =
        Omitting::runner().model(Arc::clone(&model)).run(OmittingState::new("Hi".into())).await;
    assert!(run.is_ok(), "{run:?}");
    let prompt = last_prompt(&model);
    assert!(prompt.contains(r#"[{"task":"greet","output":{"text":"hello"}}]"#), "{prompt}");
    assert!(!prompt.contains("payee\":"), "{prompt}");
}

#[tokio::test]
async fn entries_of_untrusted_values_are_shown_in_a_fence() {
    let model = Arc::new(ScriptedModel::new(replies()).recording(true));
    let run = Quoting::runner().model(Arc::clone(&model)).run(QuotingState::new("Hi".into())).await;
    assert!(run.is_ok(), "{run:?}");
    let prompt = last_prompt(&model);
    let list = r#"[{"task":"greet","output":{"text":"hello"}},{"task":"read","output":{"payee":"```","amount":1}}]"#;
    assert!(prompt.contains(&format!("````text\n{list}\n````")), "{prompt}");
}
