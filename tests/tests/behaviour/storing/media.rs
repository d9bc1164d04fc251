//! Images and documents in states, inputs and sub-processes: snapshots and journals contain each once.

use cot_core::{
    FunctionError, Inputs, Machine, ResumeOptions, RunError, Runner, Snapshot, SnapshotError,
    model::{Blob, Digest, Document, Image},
    prelude::*,
    replay::Capture,
    store::{Fork, MemoryStore, Record, RunHistory, Store, snapshot_at},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    drive::{Note, note, prompt, reply, started, state},
    running::{Asked, until_waiting},
};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Page {
    scan: Image,
    rules: Document,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Book {
    pages: Vec<Page>,
    cover: Option<Image>,
    notes: Vec<Note>,
}

/// What a function returns: a model can't be asked for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema, CotOutput)]
struct Photo {
    #[schemars(with = "Value")]
    image: Image,
}

async fn photograph(state: &Book) -> Result<Photo, FunctionError> {
    let count = u8::try_from(state.pages.len()).unwrap();
    Ok(Photo { image: image(100 + count) })
}

cot_process! {
    process Reading {
        state: Page,
        history: { max_items: 10 },
        task look -> Note { prompt: "Look at ${image(state.scan)}", next: done }
        task done { end }
    }
}

cot_process! {
    process Binding {
        state: Book,
        history: { max_items: 10 },
        task begin { next: read with state.pages[0].clone() }

        task read -> Note {
            inputs: Page,
            prompt: "Read ${image(inputs.scan)} by ${document(inputs.rules)}",
            update: { notes[] = output },
            next: inner,
        }

        task inner {
            process: Reading with state.pages[0].clone(),
            next: cover,
        }

        task cover -> Photo {
            run: photograph,
            update: { cover = Some(output.image) },
            next: show,
        }

        task show -> Note {
            prompt: "All: ${json(state)} and ${state.notes.len()}",
            update: { notes[] = output },
            next: done,
        }

        task done { end }
    }
}

/// A GIF file with this number in it.
fn image(number: u8) -> Image {
    let mut bytes = b"GIF89a".to_vec();
    bytes.resize(20_000, number);
    Image::from_bytes(bytes).unwrap()
}

fn book() -> Book {
    let page = |number| Page {
        scan: image(number),
        rules: Document::from_text("Read all of it.").unwrap().with_name("rules.txt"),
    };
    Book { pages: vec![page(1), page(2), page(1)], cover: None, notes: Vec::new() }
}

fn digest(image: &Image) -> Digest {
    image.digest().unwrap()
}

/// A part of the base64 of each image.
const BASE64: &str = "R0lGODlh";

fn survives<P: Process<Context = ()>>(machine: &Machine<P>) -> Machine<P>
where
    P::State: PartialEq,
{
    let json = machine.snapshot().unwrap().to_json().unwrap();
    let snapshot = Snapshot::from_json(&json).unwrap();
    let again = Machine::<P>::resume(snapshot, ResumeOptions::default()).unwrap();
    assert!(again.state() == machine.state());
    assert_eq!(again.snapshot().unwrap().to_json().unwrap(), json);
    again
}

#[test]
fn a_snapshot_contains_each_image_once_and_can_be_resumed_from() {
    let mut machine = started::<Binding>(book());
    let json = machine.snapshot().unwrap().to_json().unwrap();
    assert_eq!(json.matches(BASE64).count(), 2);
    let value: Value = serde_json::from_str(&json).unwrap();
    let reference = json!({ "mediaType": "image/gif", "blob": digest(&image(1)), "bytes": 20_000 });
    assert_eq!(value["state"]["pages"][0]["scan"], reference);
    assert_eq!(value["blobs"].as_object().unwrap().len(), 3);
    assert!(machine.snapshot().unwrap().missing_blobs().next().is_none());

    // At every step, with inputs and within a sub-process.
    machine = survives(&machine);
    assert!(prompt(&mut machine).contains(&image(1).to_string()));
    machine = survives(&machine);
    reply(&mut machine, note("one", 1));
    assert!(prompt(&mut machine).contains("Look at [image image/gif, 20000 bytes, "));
    let within = machine.snapshot().unwrap().to_json().unwrap();
    assert_eq!(within.matches(BASE64).count(), 2);
    machine = survives(&machine);
    reply(&mut machine, note("two", 2));
    drop(survives(&machine));
}

#[test]
fn inputs_from_outside_may_be_images() {
    let mut machine = Machine::<Binding>::new();
    let page = Page { scan: image(7), rules: Document::from_text("None.").unwrap() };
    machine.start_task(BindingTask::Read, Some(Inputs::new(page)), book()).unwrap();
    assert!(prompt(&mut machine).contains(&image(7).to_string()));
    let mut again = survives(&machine);
    assert!(prompt(&mut again).contains(&image(7).to_string()));
    let json = machine.snapshot().unwrap().to_json().unwrap();
    assert_eq!(json.matches(BASE64).count(), 3);
}

fn edited(edit: impl FnOnce(&mut Value)) -> Result<Machine<Binding>, SnapshotError> {
    let json = started::<Binding>(book()).snapshot().unwrap().to_json().unwrap();
    let mut value = serde_json::from_str(&json).unwrap();
    edit(&mut value);
    let snapshot = Snapshot::from_json(&value.to_string())?;
    Machine::resume(snapshot, ResumeOptions::default())
}

fn described(error: &(dyn std::error::Error + 'static)) -> String {
    let source = error.source().map(|source| format!(": {}", described(source)));
    format!("{error}{}", source.unwrap_or_default())
}

#[test]
fn snapshots_with_missing_or_changed_images_are_refused() {
    let wanted = digest(&image(2));
    let error = edited(|json| {
        drop(json["blobs"].as_object_mut().unwrap().shift_remove(&wanted.to_string()));
    });
    let error = described(&error.unwrap_err());
    assert!(error.contains("`$.pages[1].scan`"), "{error}");
    assert!(error.contains(&format!("the blob `{wanted}` is missing")), "{error}");

    let missing = edited(|json| json["blobs"][wanted.to_string()] = Value::Null);
    assert!(described(&missing.unwrap_err()).contains("is missing"));

    let changed = edited(|json| json["blobs"][wanted.to_string()] = "R0lGODlh".into());
    let error = described(&changed.unwrap_err());
    assert!(error.contains(&format!("the blob `{wanted}` was changed")), "{error}");

    let corrupt = edited(|json| json["blobs"][wanted.to_string()] = "*".into());
    let error = described(&corrupt.unwrap_err());
    assert!(error.contains(&format!("the blob `{wanted}` is not base64")), "{error}");

    let other = edited(|json| json["state"]["pages"][1]["scan"]["mediaType"] = "image/png".into());
    let error = described(&other.unwrap_err());
    assert!(error.contains("the media type is `image/png`, but the bytes are `image/gif`"));

    // An image may stand in the state itself, too.
    let inline = serde_json::to_value(image(9)).unwrap();
    let machine = edited(|json| json["state"]["pages"][1]["scan"] = inline).unwrap();
    assert_eq!(state(&machine).pages[1].scan, image(9));
}

#[test]
fn histories_and_prompts_show_no_bytes() {
    let mut machine = started::<Binding>(book());
    machine.add_history(&book().pages[1]).unwrap();
    let shown = prompt(&mut machine);
    assert!(shown.contains(&digest(&image(2)).to_string()) && !shown.contains(BASE64), "{shown}");
    let machine = survives(&machine);
    assert_eq!(machine.history().len(), 1);
}

/// A model that answers with a rank and records its prompts.
fn model() -> Asked {
    Asked::always(note("a note", 3))
}

fn runner(store: &MemoryStore, model: Asked) -> Runner<Binding> {
    Binding::runner().model(model).store(store.clone())
}

async fn records(store: &MemoryStore, run: &str) -> Vec<Record> {
    let entries = store.entries(&run.parse().unwrap(), 0, usize::MAX).await.unwrap();
    entries.into_iter().map(|entry| entry.record).collect()
}

#[tokio::test]
async fn a_journal_contains_each_image_once() {
    let store = MemoryStore::default();
    let report = runner(&store, model()).run_id("a").run(book()).await.unwrap();
    assert_eq!(report.state.cover, Some(image(103)));
    let records = records(&store, "a").await;
    let blobs = records.iter().filter_map(Record::blobs).flat_map(|blobs| blobs.iter());
    let mut digests: Vec<Digest> = blobs.map(Blob::digest).collect();
    digests.sort_unstable();
    let rules = book().pages[0].rules.digest().unwrap();
    let mut expected = vec![digest(&image(1)), digest(&image(2)), digest(&image(103)), rules];
    expected.sort_unstable();
    assert_eq!(digests, expected);
    let history = RunHistory::load(&store, &"a".parse().unwrap()).await.unwrap().unwrap();
    let prompts = history.steps.iter().flat_map(|step| &step.attempts);
    let prompts: Vec<String> =
        prompts.filter_map(|attempt| attempt.prompt.as_ref()).map(|all| all.prompt()).collect();
    assert!(prompts.iter().all(|prompt| !prompt.contains(BASE64)), "{prompts:?}");
    assert!(prompts.last().unwrap().contains(&digest(&image(103)).to_string()));
}

#[tokio::test]
async fn a_run_continues_with_its_images_at_any_entry() {
    let store = MemoryStore::default();
    let whole = runner(&store, model()).run_id("whole").run(book()).await.unwrap();
    for calls in 0..3 {
        let name = format!("cut-{calls}");
        let cut = Asked::times(calls, note("a note", 3));
        let mut run = runner(&store, cut).run_id(&name).start(book()).unwrap();
        until_waiting(&mut run);
        drop(run);
        let run = runner(&store, model()).resume(&name).unwrap().await.unwrap();
        assert_eq!(run.state, whole.state, "after {calls} calls");
    }
}

#[tokio::test]
async fn a_fork_has_the_images_of_the_original_and_may_replace_them() {
    let store = MemoryStore::default();
    runner(&store, model()).run_id("a").run(book()).await.unwrap();
    let fork = runner(&store, model()).run_id("b").fork("a", 1).unwrap();
    let fork = fork.change_state(|book| book.pages[1].scan = image(50));
    let run = fork.create().await.unwrap().await.unwrap();
    let scans: Vec<&Image> = run.state.pages.iter().map(|page| &page.scan).collect();
    assert_eq!(scans, [&image(1), &image(50), &image(1)]);

    // Without types: the state refers to images by their digests.
    let untyped = Fork::new("a".parse().unwrap()).at(1).change_state(|state| {
        let scan = state["pages"][1]["scan"].clone();
        state["pages"][0]["scan"] = scan;
    });
    let now = std::time::SystemTime::now();
    untyped.create(&store, &"c".parse().unwrap(), now).await.unwrap();
    store.remove(&"a".parse().unwrap()).await.unwrap();
    let run = runner(&store, model()).resume("c").unwrap().await.unwrap();
    assert_eq!(run.state.pages[0].scan, image(2));
    let snapshot = snapshot_at(&store, &"c".parse().unwrap(), 1).await.unwrap();
    assert_eq!(snapshot.to_json().unwrap().matches(BASE64).count(), 2);

    // An unknown digest is reported when the fork is resumed.
    let unknown = Digest::from_bytes(b"unknown");
    let fork = Fork::new("c".parse().unwrap()).change_state(move |state| {
        state["pages"][0]["scan"]["blob"] = unknown.to_string().into();
    });
    fork.create(&store, &"d".parse().unwrap(), now).await.unwrap();
    let error = runner(&store, model()).resume("d").unwrap().await.unwrap_err();
    assert!(matches!(error, RunError::Snapshot(_)), "{error:?}");
    assert!(described(&error).contains(&format!("the blob `{unknown}` is missing")));
}

#[tokio::test]
async fn a_capture_contains_digests_and_a_replay_finds_another_image() {
    let (capture, buffer) = Capture::to_memory();
    let report = Binding::runner().model(model()).capture(capture).report(book()).await.unwrap();
    let text = buffer.text();
    assert!(text.contains(&digest(&image(1)).short()), "{text}");
    assert!(!text.contains(BASE64), "{text}");

    let replay = || buffer.replay().unwrap();
    let again = Binding::runner().replay(replay()).report(book()).await.unwrap();
    assert_eq!(again.state, report.state);

    let mut other = book();
    other.pages[0].scan = image(77);
    let run = Binding::runner().replay(replay()).report(other).await.unwrap();
    assert!(matches!(run.outcome, BindingOutcome::Halted(_)), "{:?}", run.outcome);
}
