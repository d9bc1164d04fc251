//! The parts of a prompt, by name.

use cot_core::{Newlines, PartError, prelude::*};

use super::{Counter, shop};
use crate::drive::{Note, after, go, prompt, started};

#[test]
fn a_full_prompt_is_put_together_from_parts() {
    let prompt = prompt(&mut after::<Counter, _>(shop(), [go("guarded")]));
    let (goal, rest) = prompt.split_once("> <").unwrap();
    assert_eq!(goal, "<The goal is:\nServe Ada");
    assert!(rest.starts_with("The history is:\n[{\"task\":\"hub\",\"goTo\":\"guarded\""), "{rest}");
    assert!(rest.ends_with("}]> <At most 2 orders.>"), "{rest}");
}

cot_process! {
    process Own {
        state: u32,
        goal: "goal",
        intro: "intro",
        prompts: { rules: "rules", circle: turned },
        primers: { goal: "primer:", output: "format:", transitions: "choices:" },

        task kept -> Note {
            full_prompt: kept,
            transitions: { omitted, unknown, circular, retried },
            may_end,
        }

        task omitted -> Note { full_prompt: omitted, next: kept }
        task unknown -> Note { prompt: unknown, next: kept }
        task circular -> Note { prompt: circular, next: kept }
        task retried -> Note { full_prompt: errors, next: kept }
    }
}

fn kept(scope: &Scope<'_, Own>) -> String {
    let names = ["rules", "history", "goal", "transitions", "output"];
    scope.prompt_part(&names, Newlines::Keep).unwrap()
}

fn omitted(scope: &Scope<'_, Own>) -> String {
    scope.prompt_part(&["intro", "rules", "errors"], Newlines::Omit).unwrap() + scope.goal
}

fn unknown(scope: &Scope<'_, Own>) -> String {
    told(scope.prompt_part(&["rulse"], Newlines::Keep))
}

fn circular(scope: &Scope<'_, Own>) -> String {
    let of = |name: &str| told(scope.prompt_part(&[name], Newlines::Keep));
    format!("{} and {}", of("prompt"), of("circle"))
}

fn turned(scope: &Scope<'_, Own>) -> String {
    told(scope.prompt_part(&["circle"], Newlines::Keep))
}

fn errors(scope: &Scope<'_, Own>) -> String {
    scope.prompt_part(&["rules", "errors"], Newlines::Keep).unwrap()
}

fn told(parts: Result<String, PartError>) -> String {
    parts.unwrap_or_else(|error| error.to_string())
}

#[test]
fn parts_stand_apart_or_next_to_each_other() {
    let text = prompt(&mut started::<Own>(1));
    assert!(text.starts_with("rules\n\nprimer:\ngoal\n\nchoices:\n- \"omitted\""), "{text}");
    assert!(text.contains("\n\nformat:\n{"), "{text}");
    assert_eq!(prompt(&mut after::<Own, _>(1, [go("omitted")])), "introrulesgoal");
}

#[test]
fn an_unknown_name_is_an_error_with_a_suggestion() {
    let text = prompt(&mut after::<Own, _>(1, [go("unknown")]));
    assert!(text.ends_with("\n\nthere is no part `rulse`: did you mean `rules`?"), "{text}");
}

#[test]
fn a_part_can_not_contain_itself() {
    let text = prompt(&mut after::<Own, _>(1, [go("circular")]));
    let told = "part `prompt` contains itself and part `circle` contains itself";
    assert!(text.contains(told), "{text}");
}

#[test]
fn errors_that_a_full_prompt_shows_are_not_shown_twice() {
    let text = prompt(&mut after::<Own, _>(1, [go("retried"), go("nowhere")]));
    assert!(text.starts_with("rules\n\n"), "{text}");
    assert_eq!(text.matches("$.goTo").count(), 1, "{text}");
}
