//! Tests of the stability and the facts of texts.

use cot_syntax::{Template, diagnostics::Errors};

use super::{Stability, TextFacts, build};
use Stability::{Fixed, Growing, PerRun, Volatile};

/// Returns the facts of a text in a process with these items and tasks.
fn facts(items: &str, prompt: &str) -> TextFacts {
    let source = format!(
        "process P {{ {items} task shown -> Text {{ for_each: page in pages(), prompt: {prompt:?}, next: done }} \
         task done {{ end }} }}"
    );
    let errors = Errors::new();
    let syntax = cot_syntax::parse(source.parse().unwrap(), &errors).unwrap();
    let model = build(&syntax, &errors);
    assert!(errors.is_empty(), "{:?}", errors.messages());
    let task = model.tasks.iter().find(|task| *task.name() == "shown").unwrap();
    let prompt = &task.syntax.items.prompt.as_ref().unwrap().value;
    assert!(matches!(prompt, Template::Text(_)));
    model.text_facts(prompt, Some(task))
}

const WRITES: &str = "state: State,
    goal: \"G\",
    intro: \"I ${state.never}\",
    prompts: {
        fixed: \"12345\",
        list: \"L ${json(state.items)}\",
        both: \"${part(fixed)}${part(list)}\",
        circle: \"${part(circle)}\",
    },
    task write -> Text {
        update: {
            items[] = output,
            plan.notes[] = output,
            plan.title = output.title,
            by_name[\"a\"] = output,
            maybe?.list[] = output,
            replaced = output,
            replaced[] = output,
        },
        next: shown,
    }";

#[track_caller]
fn check(prompt: &str, expected: Stability) {
    assert_eq!(facts(WRITES, prompt).stability(), expected, "{prompt}");
}

#[test]
fn literals_and_constants_are_fixed() {
    for prompt in
        ["text", "${1}", "${LIMIT}", "${config::LIMIT}", "${task.name}", "${process.title}"]
    {
        check(prompt, Fixed);
    }
    for prompt in ["${now()}", "${config::now()}", "${1 + LIMIT}", "${format!(\"{LIMIT}\")}"] {
        check(prompt, Volatile);
    }
}

#[test]
fn the_goal_and_fields_that_nothing_writes_are_per_run() {
    for prompt in [
        "${goal}",
        "${goal.len()}",
        "${state.never}",
        "${json(state.never)}",
        "${state.never.list.len()} and ${goal}",
        "${quoted(&state.never)}",
        "${image(state.never)}",
        "${state.plan.author}",
        "${state.maybe?.name}",
        "${json(state.plan.pages)}",
    ] {
        check(prompt, PerRun);
    }
    assert_eq!(facts("state: State,", "${json(state)}").stability(), PerRun);
}

#[test]
fn a_set_does_not_grow_at_its_end() {
    for (ty, expected) in [("Vec<Text>", Growing), ("BTreeSet<Text>", Volatile)] {
        let items = format!(
            "state: {{ tags: {ty} = Default::default() }},
             task tag -> Text {{ update: tags[], next: shown }}"
        );
        assert_eq!(facts(&items, "${list(&state.tags)}").stability(), expected, "{ty}");
    }
}

#[test]
fn lists_that_are_only_appended_to_grow_where_they_are_shown_whole() {
    for prompt in [
        "${json(state.items)}",
        "${json_pretty(&state.items)}",
        "${list(state.items)}",
        "${image(state.items)}",
        "${state.items}",
        "${json(state.plan.notes)}",
        "${json(state.maybe?.list)}",
        "${json(history)}",
    ] {
        check(prompt, Growing);
    }
    for prompt in [
        "${state.items.len()}",
        "${json(&state.items[1..])}",
        "${list(state.items.iter().rev())}",
        "${json(state.plan)}",
        "${state.plan.title}",
        "${json(state.by_name)}",
        "${json(state.replaced)}",
        "${json(state)}",
        "${history.len()}",
        "${quoted(&state.items)}",
    ] {
        check(prompt, Volatile);
    }
}

#[test]
fn what_differs_between_visits_is_volatile() {
    for prompt in
        ["${page}", "${json(&page.text)}", "${last_output.is_some()}", "${state.items[page]}"]
    {
        check(prompt, Volatile);
    }
}

#[test]
fn parts_are_as_stable_as_their_texts() {
    for (prompt, expected) in [
        ("${part(fixed)}", Fixed),
        ("${part(list)}", Growing),
        ("${part(both)}", Growing),
        ("${part(both)}${state.never}", Growing),
        ("${part(intro)}", PerRun),
        ("${part(goal)}", PerRun),
        ("${part(history)}", Growing),
        ("${part(output)}", Fixed),
        ("${part(errors)}", Volatile),
        ("${part(circle)}", Volatile),
        ("${part(list).len()}", Volatile),
        ("${part(fixed).len()}", Fixed),
    ] {
        check(prompt, expected);
    }
}

#[test]
fn a_function_that_changes_the_state_can_write_anywhere() {
    let items = format!("{WRITES} task apply -> Text {{ process_output: apply, next: shown }}");
    for prompt in ["${state.never}", "${json(state.items)}"] {
        assert_eq!(facts(&items, prompt).stability(), Volatile, "{prompt}");
    }
    assert_eq!(facts(&items, "${goal}").stability(), PerRun);
    let mirrored = format!("history: {{ state_max_items: 3 }}, {WRITES}");
    assert_eq!(facts(&mirrored, "${json(state.history)}").stability(), Volatile);
}

#[test]
fn fixed_text_and_values_are_counted() {
    let counts = |prompt| {
        let facts = facts(WRITES, prompt);
        (facts.fixed, facts.prefix, facts.values)
    };
    assert_eq!(counts("12345"), (5, 5, [0, 0, 0]));
    assert_eq!(counts("123${goal}45${state.items} "), (6, 3, [1, 1, 0]));
    assert_eq!(counts("${LIMIT}12${page}"), (2, 2, [0, 0, 1]));
    assert_eq!(counts("1${part(both)}2"), (9, 8, [0, 1, 0]));
    assert_eq!(counts("${part(intro)}${part(goal)}"), (2, 2, [2, 0, 0]));
    let trimmed = |prompt| facts(WRITES, prompt).trimmed().fixed;
    assert_eq!(trimmed("12${part(fixed)} \n "), 7);
    assert_eq!(trimmed("12 ${goal}"), 3);
}

#[test]
fn hashes_differ_where_a_text_or_a_part_does() {
    let hash = |prompt| facts(WRITES, prompt).hash;
    assert_eq!(hash("a ${part(fixed)}"), hash("a ${part(fixed)}"));
    assert_ne!(hash("a ${part(fixed)}"), hash("b ${part(fixed)}"));
    let other = WRITES.replace("12345", "12346");
    assert_ne!(hash("a ${part(both)}"), facts(&other, "a ${part(both)}").hash);
}
