//! The context of a process, and what else functions receive with their `Cx`.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex},
    time::Duration,
};

use cot_core::{
    Action, CommitCx, Event, EventOutcome, Machine, MockMode, Reply, ResumeOptions, Snapshot,
    model::{ModelReply, ScriptedModel},
    prelude::*,
    store::MemoryStore,
    testing::Monkey,
};
use serde::{Deserialize, Serialize};

use crate::drive::{Note, note};

/// What the program shares with its runs: neither `Clone` nor serializable.
#[derive(Debug, Default)]
struct App {
    calls: Mutex<Vec<String>>,
    audit: Arc<Audit>,
}

#[derive(Debug, Default)]
struct Audit(Mutex<Vec<String>>);

impl App {
    fn called(&self, by: &str, cx: &Cx<'_, Shop>) {
        let (key, attempt) = (cx.call_key(), cx.attempt());
        self.calls.lock().unwrap().push(format!("{by} {key} attempt {attempt}"));
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.calls.lock().unwrap())
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Cart {
    notes: Vec<Note>,
    receipt: String,
    failures: u32,
}

async fn charge(cart: &Cart, cx: &Cx<'_, Shop>) -> Result<String, std::io::Error> {
    cx.app().called("charge", cx);
    assert!(!cx.run_id().is_empty());
    tokio::task::yield_now().await;
    if cx.attempt() <= cart.failures {
        return Err(std::io::Error::other("declined"));
    }
    Ok(format!("{} for {:?}, {} entries", cx.task.name, cx.goal, cx.history.len()))
}

fn plausible(note: &Note, _: &Cart, cx: &Cx<'_, Shop>) -> Result<(), Issues> {
    cx.app().called("check", cx);
    if note.rank > 9 { Err(Issues::at("rank", "too much")) } else { Ok(()) }
}

async fn known(_: &Note, _: &Cart, cx: &Cx<'_, Shop>) -> Result<(), Issues> {
    tokio::task::yield_now().await;
    cx.app().called("async check", cx);
    Ok(())
}

fn keep(note: &Note, cart: &mut Cart, cx: &mut CommitCx<'_, Shop>) {
    cx.app().called("process", cx);
    cart.notes.push(note.clone());
}

fn suggested(_: &Cart, cx: &Cx<'_, Shop>) -> Note {
    cx.app().called("mock", cx);
    note_of("mocked")
}

cot_process! {
    process Shop {
        state: Cart,
        context: App,
        goal: "sell",
        mock_mode: false,

        task suggest -> Note {
            prompt: "Suggest.",
            check: plausible,
            process_output: keep,
            mock: suggested,
            next: approve,
        }

        task approve -> Note { prompt: "Approve.", check: async known, mock: suggested, next: pay }

        task pay -> String {
            run: charge,
            retry: { max: 2, backoff: 1ms..1ms },
            update: receipt,
            next: audit,
        }

        task audit { process: Auditing with Log::default(), context: app.audit.clone(), next: sub }
        task sub { process: Inner with state.clone(), next: plain }
        task plain { process: Plain with 0, next: done }
        task done { end }
    }
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Log {
    lines: u32,
}

async fn audit(_: &Log, cx: &Cx<'_, Auditing>) -> Result<u32, Infallible> {
    let mut lines = cx.app().0.lock().unwrap();
    lines.push(cx.call_key());
    Ok(u32::try_from(lines.len()).unwrap())
}

cot_process! {
    process Auditing {
        state: Log,
        context: Audit,
        task write -> u32 { run: audit, update: lines, next: done }
        task done { end }
    }
}

async fn inner(_: &Cart, cx: &Cx<'_, Inner>) -> Result<String, Infallible> {
    cx.app().calls.lock().unwrap().push(format!("inner {}", cx.call_key()));
    Ok(String::new())
}

cot_process! {
    process Inner {
        state: Cart,
        context: App,
        task twice -> String { run: inner, next: again }
        task again -> String { run: inner, next: done }
        task done { end }
    }
}

async fn plain(count: &u8, cx: &Cx<'_, Plain>) -> Result<u8, Infallible> {
    Ok(count + u8::try_from(cx.attempt()).unwrap_or(u8::MAX))
}

cot_process! {
    process Plain {
        state: u8,
        task add -> u8 { run: plain, process_output: set, next: done }
        task done { end }
    }
}

fn set(count: &u8, state: &mut u8) {
    *state = *count;
}

fn model() -> ScriptedModel {
    ScriptedModel::new([note("too good", 10), note("good", 1), note("fine", 2)])
}

#[tokio::test]
async fn every_function_receives_the_context_and_the_key_of_its_call() {
    let app = Arc::new(App::default());
    let runner = Shop::runner(Arc::clone(&app)).model(model()).store(MemoryStore::default());
    let runner = runner.run_id("order-7").before_commit(|commit| {
        commit.app().calls.lock().unwrap().push(format!("hook {}", commit.call_key()));
        Ok(())
    });
    let run = runner.run(Cart { failures: 1, ..Cart::default() }).await.unwrap();
    assert_eq!(run.outcome, ShopOutcome::Done);
    assert_eq!(run.state.receipt, "pay for \"sell\", 2 entries");
    let calls = [
        "check order-7/suggest#1@1 attempt 1",
        "check order-7/suggest#1@2 attempt 2",
        "hook order-7/suggest#1@2",
        "process order-7/suggest#1@2 attempt 2",
        "async check order-7/approve#1@1+check attempt 1",
        "hook order-7/approve#1@1",
        "charge order-7/pay#1 attempt 1",
        "charge order-7/pay#1 attempt 2",
        "hook order-7/pay#1@2",
        "hook order-7/audit#1@1",
        "inner order-7/sub#1/twice#1",
        "inner order-7/sub#1/again#1",
        "hook order-7/sub#1@1",
        "hook order-7/plain#1@1",
    ];
    assert_eq!(app.take(), calls);
    assert_eq!(*app.audit.0.lock().unwrap(), ["order-7/audit#1/write#1"]);
}

#[tokio::test]
async fn mocks_and_single_tasks_receive_the_context() {
    let app = Arc::new(App::default());
    let runner = Shop::runner(Arc::clone(&app)).mock_mode(MockMode::Only(vec![ShopTask::Suggest]));
    let ran = runner.run_task(ShopTask::Suggest, Cart::default()).await.unwrap();
    assert_eq!(ran.state.notes, [note_of("mocked")]);
    let calls = app.take();
    assert!(calls[0].starts_with("mock "), "{calls:?}");
    assert!(calls[0].ends_with("/suggest#1@1 attempt 1"), "{calls:?}");
    assert_eq!(calls.len(), 3);
}

fn note_of(text: &str) -> Note {
    Note { text: text.to_owned(), rank: 1 }
}

#[tokio::test]
async fn a_resumed_run_has_the_context_in_its_sub_processes() {
    let app = Arc::new(App::default());
    let mut machine = Shop::machine(Arc::clone(&app));
    machine.set_run_id("by-hand");
    machine.start_task(ShopTask::Sub, None, Cart::default()).unwrap();
    assert_eq!(machine.poll().directives()[0].key.to_string(), "sub#1/twice#1@1");
    let json = machine.snapshot().unwrap().to_json().unwrap();
    let snapshot = || Snapshot::from_json(&json).unwrap();
    let options = ResumeOptions::new();
    let again = Arc::new(App::default());
    let resumed =
        Machine::<Shop>::resume_with_context(snapshot(), &options, Arc::clone(&again), "by-hand");
    let runner = Shop::runner(App::default()).mock_mode(true);
    let run = runner.run_machine(resumed.unwrap()).report().await.unwrap();
    assert!(matches!(run.outcome, ShopOutcome::RanOut(ShopTask::Sub)));
    // The keys stay what they were, although the runner names the runs that it starts itself.
    assert_eq!(again.take(), ["inner by-hand/sub#1/twice#1", "inner by-hand/sub#1/again#1"]);
    assert_eq!(app.take(), [""; 0]);
}

#[tokio::test]
async fn two_runs_never_share_a_key_and_a_repeated_call_has_the_same() {
    let app = Arc::new(App::default());
    let runner = Shop::runner(Arc::clone(&app));
    for _ in 0..2 {
        runner.run_task(ShopTask::Pay, Cart::default()).await.unwrap();
    }
    let calls = app.take();
    assert_ne!(calls[0], calls[1]);
    // The machine is polled, the program dies, and another one performs the same call.
    let mut machine = Shop::machine(Arc::clone(&app));
    machine.set_run_id("order-8");
    machine.start_task(ShopTask::Pay, None, Cart::default()).unwrap();
    let snapshot = machine.snapshot().unwrap();
    let mut again = Machine::<Shop>::resume_with_context(
        snapshot,
        ResumeOptions::new(),
        Arc::clone(&app),
        "order-8",
    )
    .unwrap();
    for machine in [&mut machine, &mut again] {
        let directive = &machine.poll().directives()[0];
        let Action::RunFunction(call) = &directive.action else { panic!("{directive:?}") };
        call.run().await.unwrap();
    }
    assert_eq!(app.take(), ["charge order-8/pay#1 attempt 1"; 2]);
}

#[tokio::test]
async fn a_resumed_check_has_the_key_of_its_own_attempt() {
    let mut machine = Shop::machine(App::default());
    machine.set_run_id("order-9");
    machine.start_task(ShopTask::Approve, None, Cart::default()).unwrap();
    for reply in [serde_json::json!("no note"), note("fine", 1)] {
        let id = machine.poll().directives()[0].id;
        let (reply, elapsed) = (ModelReply::from(reply), Duration::ZERO);
        assert_ne!(machine.handle(Event::Replied { id, reply, elapsed }), EventOutcome::Stale);
    }
    let app = Arc::new(App::default());
    let mut again = Machine::<Shop>::resume_with_context(
        machine.snapshot().unwrap(),
        ResumeOptions::new(),
        Arc::clone(&app),
        "order-9",
    )
    .unwrap();
    let directive = &again.poll().directives()[0];
    let Action::RunFunction(check) = &directive.action else { panic!("{directive:?}") };
    check.run().await.unwrap();
    assert_eq!(app.take(), ["async check order-9/approve#1@2+check attempt 2"]);
}

/// Counts the outputs that were checked.
#[derive(Debug, Default)]
struct Judge(Mutex<u32>);

fn judged(_: &Note, _: &Cart, cx: &Cx<'_, Judged>) -> Result<(), Issues> {
    *cx.app().0.lock().unwrap() += 1;
    Ok(())
}

cot_process! {
    process Judged {
        state: Cart,
        context: Judge,
        task write -> Note { prompt: "Write.", check: judged, update: notes[], next: done }
        task done { end }
    }
}

#[test]
fn a_monkey_gives_the_context_to_functions() {
    let judge = Arc::new(Judge::default());
    let monkey = Monkey::<Judged>::with_context(Arc::clone(&judge), |_| Cart::default());
    let report = monkey.runs(50).run().unwrap();
    assert!(report.ended("done") > 0, "{report}");
    assert!(u64::from(*judge.0.lock().unwrap()) >= report.ended("done"));
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Sealed {
    #[serde(skip)]
    token: Option<String>,
    seen: String,
}

async fn reveal(sealed: &Sealed) -> Result<String, Infallible> {
    Ok(sealed.token.clone().unwrap_or_default())
}

cot_process! {
    process Vault {
        state: Sealed,
        task open -> String { run: reveal, update: seen, next: done }
        task done { end }
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Around {
    seen: String,
}

fn take_seen(sealed: &Sealed, around: &mut Around) {
    around.seen.clone_from(&sealed.seen);
}

cot_process! {
    process Bank {
        state: Around,
        task vault { process: Vault with Sealed::default(), process_output: take_seen, next: done }
        task done { end }
    }
}

#[tokio::test]
async fn what_is_never_stored_is_set_again_in_sub_processes_too() {
    let mut machine = Bank::machine();
    machine.start(Around::default()).unwrap();
    machine.poll();
    let json = machine.snapshot().unwrap().to_json().unwrap();
    let options = ResumeOptions::new()
        .on_resume(|sealed: &mut Sealed| sealed.token = Some("secret".to_owned()))
        .on_resume(|around: &mut Around| around.seen = "completed".to_owned());
    let machine = Machine::<Bank>::resume(Snapshot::from_json(&json).unwrap(), options).unwrap();
    assert_eq!(machine.state().unwrap().seen, "completed");
    let run = Bank::runner().run_machine(machine).await.unwrap();
    assert_eq!(run.state.seen, "secret");
}

async fn fragile(_: &Cart, cx: &Cx<'_, Fragile>) -> Result<(), Infallible> {
    cx.app()();
    Ok(())
}

cot_process! {
    process Fragile {
        state: Cart,
        context: fn(),
        task call { run: fragile, next: inner }
        task inner { process: Auditing with Log::default(), context: panics(app), next: done }
        task done { end }
    }
}

fn panics(app: &fn()) -> Audit {
    app();
    panic!("no audit")
}

#[tokio::test]
async fn a_context_that_panics_halts_the_run() {
    let runner = Fragile::runner((|| panic!("lost the pool")) as fn());
    let run = runner.report(Cart::default()).await.unwrap();
    let FragileOutcome::Halted(halt) = run.outcome else { panic!("{:?}", run.outcome) };
    assert!(halt.to_string().contains("lost the pool"), "{halt}");
    let run = Fragile::runner((|| ()) as fn()).report(Cart::default()).await.unwrap();
    let FragileOutcome::Halted(halt) = run.outcome else { panic!("{:?}", run.outcome) };
    assert!(halt.to_string().contains("no audit"), "{halt}");
    assert_eq!(halt.task, FragileTask::Inner);
}

fn _a_mock_may_take_a_context(_: &Cx<'_, Shop>) -> Reply<Note> {
    Reply::from(note_of("a"))
}
