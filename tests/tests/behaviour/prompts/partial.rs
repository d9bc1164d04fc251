//! Partial prompts: what of a prompt is left out, while somebody looks for a mistake.

use cot_core::{Fragment, PartialPrompt, PromptMode};

use super::{Counter, retried, shop};
use crate::drive::{after, call, go, note, request, started};

fn shown(partial: &PartialPrompt) -> String {
    retried().partial_prompt(partial).unwrap()
}

/// Which parts a prompt has, by a word of each.
fn parts(prompt: &str) -> Vec<&'static str> {
    let words = [
        ("intro", "Orders: "),
        ("goal", "Serve Ada"),
        ("goalPrimer", "The goal is:"),
        ("history", "\"output\":{\"text\":\"a\""),
        ("historyPrimer", "The history is:"),
        ("errors", "- $.goTo: "),
        ("errorsPrimer", "The errors are:"),
        ("prompt", "Decide."),
        ("transitions", "- \"plain\": Go on"),
        ("transitionsPrimer", "The choices are:"),
        ("output", "The output is:\n{"),
    ];
    words.into_iter().filter(|(_, word)| prompt.contains(word)).map(|(part, _)| part).collect()
}

#[test]
fn each_mode_keeps_its_parts() {
    let (goal, history) = (["goal", "goalPrimer"], ["history", "historyPrimer"]);
    let errors = ["errors", "errorsPrimer"];
    let choice = ["transitions", "transitionsPrimer", "output"];
    for (name, expected) in [
        ("full", [&["intro"][..], &goal, &history, &errors, &["prompt"], &choice].concat()),
        ("taskPromptOnly", vec!["prompt"]),
        ("transitionDebug", [&goal[..], &errors, &["prompt"], &choice].concat()),
        ("stateTracking", [&["intro"][..], &history, &["prompt"]].concat()),
        ("historyOnly", [history, errors].concat()),
        ("errorsOnly", [&errors[..], &["prompt"]].concat()),
        ("minimal", [&goal[..], &["prompt"]].concat()),
        ("noData", [&["intro"][..], &goal, &history, &errors, &["prompt"], &choice].concat()),
    ] {
        let mode: PromptMode = name.parse().unwrap();
        assert_eq!(parts(&shown(&PartialPrompt::new(mode))), expected, "{name}");
    }
}

#[test]
fn the_full_mode_shows_what_is_asked() {
    let mut machine = retried();
    let full = machine.partial_prompt(&PartialPrompt::default()).unwrap();
    assert_eq!(full, request(&call(&mut machine)).prompt());
}

#[test]
fn fragments_are_left_out_one_by_one() {
    let all = parts(&shown(&PartialPrompt::default()));
    for (fragment, gone) in [
        (Fragment::IntroPrompt, &["intro"][..]),
        (Fragment::Goal, &["goal", "goalPrimer"]),
        (Fragment::GoalPrimer, &["goalPrimer"]),
        (Fragment::History, &["history", "historyPrimer"]),
        (Fragment::HistoryPrimer, &["historyPrimer"]),
        (Fragment::Errors, &["errors", "errorsPrimer"]),
        (Fragment::ErrorsPrimer, &["errorsPrimer"]),
        (Fragment::TaskPrompt, &["prompt"]),
        (Fragment::Transitions, &["transitions", "transitionsPrimer"]),
        (Fragment::TransitionsPrimer, &["transitionsPrimer"]),
        (Fragment::Output, &["output"]),
    ] {
        let left = parts(&shown(&PartialPrompt::default().remove(fragment)));
        let expected: Vec<_> = all.iter().copied().filter(|part| !gone.contains(part)).collect();
        assert_eq!(left, expected, "{fragment:?}");
    }
}

#[test]
fn optional_parts_and_state_variables_are_omitted() {
    let only = PartialPrompt::new(PromptMode::TaskPromptOnly);
    assert_eq!(shown(&only), "Decide.\nAt most 2 orders.");
    assert_eq!(shown(&only.clone().remove(Fragment::Part("rules"))), "Decide.");
    let cut = only.add(Fragment::IntroPrompt).omit_state("orders");
    assert_eq!(
        shown(&cut),
        "Orders: [state.orders omitted] of Ada.\n\nDecide.\nAt most [state.orders omitted] orders."
    );
    let misspelled = PartialPrompt::default().remove(Fragment::Part("rule"));
    let error = retried().partial_prompt(&misspelled).unwrap_err();
    assert!(error.to_string().contains("did you mean `rules`?"), "{error}");
}

#[test]
fn state_variables_that_are_not_there_are_refused() {
    for (name, help) in [
        ("order", ": did you mean `orders`?"),
        ("nonsense", ""),
        ("orders.first", ": name the field `orders`"),
    ] {
        for partial in [
            PartialPrompt::default().omit_state(name),
            PartialPrompt::new(PromptMode::NoData).add(Fragment::State(name)),
        ] {
            let error = retried().partial_prompt(&partial).unwrap_err().to_string();
            assert!(error.contains(&format!("the state has no field `{name}`")), "{error}");
            assert!(error.contains(help.trim_start_matches(": ")), "{error}");
        }
    }
    // A field is known from its type, too, and in the case in which it is serialized.
    let machine = started::<Renamed>(Dressed { shoe_size: 42, hat: None });
    for name in ["shoe_size", "shoeSize"] {
        let prompt = machine.partial_prompt(&PartialPrompt::default().omit_state(name)).unwrap();
        assert!(prompt.contains("[state.shoe_size omitted]"), "{prompt}");
    }
    machine.partial_prompt(&PartialPrompt::default().omit_state("hat")).unwrap();
}

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct Dressed {
    shoe_size: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    hat: Option<String>,
}

cot_core::cot_process! {
    process Renamed {
        state: Dressed,
        task only -> crate::drive::Note { prompt: "${state.shoe_size}", may_end }
    }
}

#[test]
fn history_and_errors_are_cut() {
    let two = r#"{ "intent": 1, "goTo": "nowhere" }"#;
    let machine = after::<Counter, _>(
        shop(),
        [go("plain").to_string(), note("a", 1).to_string(), two.to_owned()],
    );
    let cut = PartialPrompt::new(PromptMode::HistoryOnly).last_history(1).first_errors(1);
    let prompt = machine.partial_prompt(&cut).unwrap();
    assert!(prompt.contains("The history is:\n[1 earlier entries omitted]\n[{"), "{prompt}");
    let end = "\n[2 more errors omitted]\nWrite the whole reply again, with all of this put right.";
    assert!(prompt.ends_with(end), "{prompt}");
    assert!(!prompt.contains("goTo\":\"plain"), "{prompt}");
}

#[test]
fn without_data_large_pieces_are_omitted() {
    let mut large = shop();
    large.orders = (0..1000).collect();
    let machine = started::<Counter>(large);
    let prompt = machine.partial_prompt(&PromptMode::NoData.into()).unwrap();
    assert!(prompt.starts_with("Orders: [state.orders omitted] of Ada."), "{prompt}");
    assert!(prompt.contains("At most 1000 orders."), "{prompt}");
    let shown = PartialPrompt::new(PromptMode::NoData).add(Fragment::State("orders"));
    assert!(machine.partial_prompt(&shown).unwrap().contains(",998,999] of Ada."));
}

#[test]
fn an_unknown_mode_is_reported_and_gives_the_full_prompt() {
    let (mode, unknown) = PromptMode::parse_or_full("everything");
    assert!(unknown.is_some_and(|unknown| unknown.to_string().contains("`everything`")));
    assert_eq!(shown(&mode.into()), shown(&PartialPrompt::default()));
}

#[test]
fn before_the_start_there_is_nothing_to_show() {
    let machine = cot_core::Machine::<Counter>::new();
    assert!(machine.partial_prompt(&PartialPrompt::default()).is_err());
}
