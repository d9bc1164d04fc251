//! Template functions that read the context of the process.

use std::sync::Arc;

use cot_core::{GrowingText, Machine, Stability, prelude::*};
use serde::{Deserialize, Serialize};

use crate::drive::Note;

/// The texts that a program configures.
struct Voice {
    rules: String,
    house: Arc<House>,
}

struct House {
    name: &'static str,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Desk {
    topic: String,
}

fn rules<'a>(cx: &'a Cx<'_, Spoken>) -> &'a str {
    &cx.app().rules
}

fn goal(cx: &Cx<'_, Spoken>) -> String {
    format!("serve {}", cx.app().house.name)
}

fn told(cx: &Cx<'_, Spoken>) -> String {
    let before = cx.prompt_part(&["goal"], cot_core::Newlines::Keep).unwrap_or_default();
    format!(
        "{before}|{} writes about {}, attempt {}",
        cx.app().house.name,
        cx.state.topic,
        cx.attempt()
    )
}

fn label(cx: &Cx<'_, Spoken>) -> &'static str {
    cx.app().house.name
}

fn plain(scope: &Scope<'_, Spoken>) -> String {
    scope.state.topic.clone()
}

cot_process! {
    process Spoken {
        state: Desk,
        context: Voice,
        goal: goal,
        system: rules,
        intro: plain,
        prompts: { house: told },

        task hub {
            prompt: "<${part(house)}> (${part(house).to_string().len()})",
            transitions: { ask: label },
        }

        task ask -> Note { full_prompt: told, next: inner }

        task inner {
            process: Within with state.clone(),
            context: Arc::clone(&app.house),
            next: done,
        }

        task done { end }
    }
}

fn within(cx: &Cx<'_, Within>) -> String {
    format!("within {}", cx.app().name)
}

cot_process! {
    process Within {
        state: Desk,
        context: House,
        task write -> Note { full_prompt: within, next: done }
        task done { end }
    }
}

fn voice() -> Voice {
    Voice { rules: "Be brief.".to_owned(), house: Arc::new(House { name: "the press" }) }
}

fn request<P: Process>(machine: &mut Machine<P>) -> (Option<String>, String) {
    let cot_core::MachinePoll::Waiting([call]) = machine.poll() else { panic!("one call") };
    let request = &call.as_model_call().unwrap().request;
    (request.system().map(str::to_owned), request.prompt().to_owned())
}

#[test]
fn templates_are_written_by_functions_of_the_context() {
    let mut machine = Machine::<Spoken>::with_context(voice());
    machine.start(Desk { topic: "bees".to_owned() }).unwrap();
    let (system, prompt) = request(&mut machine);
    assert_eq!(system.as_deref(), Some("Be brief."));
    let part = "serve the press|the press writes about bees, attempt 1";
    for shown in ["bees", part, &format!("({})", prompt_part(&prompt).len()), "\"ask\": the press"]
    {
        assert!(prompt.contains(shown), "{shown:?} in {prompt}");
    }
}

/// The text between `<` and `>`.
fn prompt_part(prompt: &str) -> &str {
    let (_, rest) = prompt.split_once('<').unwrap();
    rest.split_once('>').unwrap().0
}

fn diary(cx: &Cx<'_, Growing>) -> GrowingText {
    GrowingText::new(format!("{}: {}", cx.app().name, cx.state.topic))
}

cot_process! {
    process Growing {
        state: Desk,
        context: House,
        prompts: { diary: diary },
        task write -> Note { full_prompt: "${part(diary)}|${state.topic.len()}", next: done }
        task done { end }
    }
}

#[test]
fn a_function_can_return_a_text_that_grows() {
    let mut machine = Machine::<Growing>::with_context(House { name: "the press" });
    machine.start(Desk { topic: "bees".to_owned() }).unwrap();
    let cot_core::MachinePoll::Waiting([call]) = machine.poll() else { panic!("one call") };
    let segments = call.as_model_call().unwrap().request.segments();
    let texts: Vec<_> =
        segments.iter().map(|segment| (segment.stability, segment.text.as_str())).collect();
    let grown = texts.iter().position(|text| *text == (Stability::Growing, "the press: bees"));
    assert_eq!(texts[grown.unwrap() + 1], (Stability::Fixed, "|"));
}

#[tokio::test]
async fn a_sub_process_shows_its_own_context() {
    let go = serde_json::json!({ "intent": "", "goTo": "ask", "stepAfter": "" });
    let note = crate::drive::note("a", 1);
    let model = Arc::new(cot_core::model::ScriptedModel::new([go, note.clone(), note]));
    let runner = Spoken::runner(voice()).model(Arc::clone(&model));
    runner.run(Desk::default()).await.unwrap();
    let asked: Vec<_> =
        model.requests().iter().map(|request| request.prompt().to_owned()).collect();
    assert!(asked[1].ends_with("the press writes about , attempt 1"), "{asked:?}");
    assert_eq!(asked[2], "within the press");
}

#[test]
fn a_resumed_run_shows_the_present_context() {
    let mut machine = Machine::<Spoken>::with_context(voice());
    machine.start(Desk::default()).unwrap();
    let before = request(&mut machine).0;
    let snapshot = machine.snapshot().unwrap();
    let voice = Voice { rules: "Be kind.".to_owned(), ..voice() };
    let options = cot_core::ResumeOptions::default();
    let mut machine =
        Machine::<Spoken>::resume_with_context(snapshot, &options, voice, "").unwrap();
    let after = request(&mut machine).0;
    assert_eq!((before.as_deref(), after.as_deref()), (Some("Be brief."), Some("Be kind.")));
}
