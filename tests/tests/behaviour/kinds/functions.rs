//! The forms that the functions of `check` and `process_output` may have.

use cot_core::{
    CommitCx, Machine, ResumeOptions,
    model::{ModelReply, ScriptedModel},
    prelude::*,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::drive::{answer, calls, reply_item};
use crate::{
    drive::{Note, after, drive, go, history, note, prompt, reply, request, state},
    storing::ledger::{Fate, Ledger},
};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Book {
    pages: Vec<String>,
    notes: Vec<Note>,
    seen: Vec<String>,
}

fn knows_goal(note: &Note, book: &Book, cx: &Cx<'_, Forms>) -> Result<(), Issues> {
    let (task, entries) = (cx.task.name, cx.history.len());
    match note.text.starts_with(cx.goal) && cx.state == book {
        true => Ok(()),
        false => Err(Issues::at("text", format!("{task}, {entries}: not for {:?}", cx.goal))),
    }
}

fn keep(note: &Note, book: &mut Book, cx: &mut CommitCx<'_, Forms>) -> Result<(), Issues> {
    let before = cx.state.notes.len();
    book.seen.push(format!("{before} before, {} now", book.notes.len()));
    let text = format!("{} of {}", note.rank, cx.goal);
    cx.add_history(&text).map_err(|error| Issues::at("$", error.to_string()))?;
    if note.rank > 9 {
        return Err(Issues::at("rank", "too much"));
    }
    Ok(())
}

/// A part of a page: a slice and a text are taken for a list and a `String`.
fn names_page(note: &Note, _: &Book, page: &str, cx: &Cx<'_, Forms>) -> Result<(), Issues> {
    match note.text.contains(page) {
        true => Ok(()),
        false => Err(Issues::at("text", format!("of item {:?}: {page:?}", cx.item))),
    }
}

fn count(notes: &[Note], book: &mut Book, cx: &Cx<'_, Forms>) -> FormsPagesChoice {
    book.seen.push(format!("{} in {}", notes.len(), cx.task.name));
    match cx.goal.is_empty() {
        true => FormsPagesChoice::Hub,
        false => FormsPagesChoice::Aside("by choice".to_owned()),
    }
}

fn check_inputs<T: Serialize>(
    _: &T,
    book: &mut Book,
    inputs: &str,
    cx: &Cx<'_, Forms>,
) -> Result<(), Issues> {
    let delivered = cx.inputs.and_then(|inputs| inputs.get::<String>());
    book.seen.push(format!("{inputs} {}", delivered.is_some_and(|given| given == inputs)));
    Ok(())
}

fn person<T: Serialize>(_: &T, _: &Book, given: &str) -> Result<(), Issues> {
    if given.is_empty() { Err(Issues::at("$", "nothing was given")) } else { Ok(()) }
}

fn counted<T: Serialize>(output: &T, book: &mut Book) -> Result<(), Issues> {
    let json = serde_json::to_value(output).map_err(|error| Issues::at("$", error.to_string()))?;
    book.seen.push(format!("{} notes", json.as_array().map_or(0, Vec::len)));
    Ok(())
}

cot_process! {
    process Named {
        state: Book,

        task pages -> Note {
            for_each: page in state.pages,
            process_output: counted::<Vec<Note>>,
            next: done,
        }

        task done { end }
    }
}

#[tokio::test]
async fn a_generic_function_that_could_take_several_types_names_its_own() {
    let model = ScriptedModel::from_fn(|_| Ok(ModelReply::from(note("a", 1))));
    let book = Book { pages: vec!["a".to_owned(), "b".to_owned()], ..Book::default() };
    let run = Named::runner().model(model).run(book).await.unwrap();
    assert_eq!(run.state.seen, ["2 notes"]);
}

cot_process! {
    process Forms {
        state: Book,
        goal: "Paris",

        task hub -> Note {
            prompt: "History: ${json(history)}",
            check: knows_goal,
            update: notes[],
            process_output: keep,
            transitions: { pages, done },
            next: hub,
        }

        task pages -> Note {
            for_each: page in state.pages,
            check: names_page,
            process_output: count -> [aside, hub],
        }

        task aside -> Note {
            inputs: String,
            ask: "Sure?",
            check: person,
            process_output: check_inputs,
            next: hub,
        }

        task done { end }
    }
}

#[test]
fn a_check_sees_goal_and_history() {
    let mut machine = after::<Forms, _>(Book::default(), [note("Paris", 1), note("Rome", 2)]);
    let prompt = prompt(&mut machine);
    assert!(prompt.contains("hub, 2: not for"), "{prompt}");
}

#[test]
fn a_process_output_adds_to_the_history_before_its_output() {
    let machine = after::<Forms, _>(Book::default(), [note("Paris", 1)]);
    assert_eq!(
        history(&machine),
        json!(["1 of Paris", { "task": "hub", "output": note("Paris", 1) }])
    );
    assert_eq!(state(&machine).seen, ["0 before, 1 now"], "the scope has the state before");
}

#[test]
fn what_it_refuses_adds_nothing() {
    let mut machine = after::<Forms, _>(Book::default(), [note("Paris", 10)]);
    assert_eq!(history(&machine), json!([]));
    reply(&mut machine, note("Paris", 9));
    assert_eq!(machine.history().len(), 2);
}

#[test]
fn items_inputs_and_choices_come_with_the_scope() {
    let book = Book { pages: vec!["one".to_owned()], ..Book::default() };
    let mut machine = after::<Forms, _>(book, [go("pages")]);
    reply_item(&mut machine, 0, note("two", 1));
    let call = calls(&mut machine).remove(0);
    assert!(request(&call).prompt().contains("of item Some(0)"));
    reply_item(&mut machine, 0, note("one", 1));
    answer(&mut machine, note("sure", 1));
    assert_eq!(state(&machine).seen, ["1 in pages", "by choice true"]);
}

#[test]
fn a_resumed_run_adds_no_entry_twice() {
    let machine = after::<Forms, _>(Book::default(), [note("Paris", 1)]);
    let snapshot = machine.snapshot().unwrap();
    let mut resumed = Machine::<Forms>::resume(snapshot, ResumeOptions::new()).unwrap();
    assert_eq!(history(&resumed), history(&machine));
    drive(&mut resumed, |_, _| go("done"));
    assert_eq!(resumed.history().len(), 3);
}

/// A reply that depends on nothing but how much history the prompt has, which shows it twice.
fn next_reply(prompt: &str) -> Value {
    match prompt.matches("\"task\":\"hub\"").count() / 2 {
        0 => note("Paris", 1),
        1 => note("Paris", 2),
        _ => go("done"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_stored_run_adds_no_entry_twice_wherever_it_is_cut() {
    let run = async |store: &Ledger| {
        let model =
            ScriptedModel::from_fn(|request| Ok(ModelReply::from(next_reply(request.prompt()))));
        let runner = Forms::runner().model(model).store(store.clone()).run_id("forms");
        tokio::select! {
            biased;
            run = runner.run(Book::default()) => Some(run.unwrap()),
            () = store.cut() => None,
        }
    };
    let whole = Ledger::default();
    let uncut = run(&whole).await.unwrap();
    assert_eq!(uncut.history.len(), 5);
    for append in 0..whole.appends() {
        for fate in [Fate::CutBefore, Fate::CutAfter] {
            let store = Ledger::default();
            store.at(append, fate);
            assert!(run(&store).await.is_none());
            let resumed = run(&store).await.unwrap();
            assert_eq!(
                (resumed.history, resumed.state),
                (uncut.history.clone(), uncut.state.clone())
            );
        }
    }
}
