//! Processes whose functions write rows in transactions of the store, and what holds of these rows. The tests of all stores
//! with transactions share them: `database` has the connection of the store.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use cot_core::{
    prelude::*,
    store::{RunHistory, RunId, Status, Store},
};
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use super::database::{Connection, Error, REFUSED, end, insert};

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Order {
    items: Vec<u32>,
    booked: u32,
    lines: Vec<u32>,
    left: u32,
    right: u32,
    packed: u32,
}

impl Order {
    pub(crate) fn of_three_items() -> Self {
        Self { items: vec![1, 2, 3], ..Self::default() }
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Parcel {
    packed: u32,
}

cot_process! {
    pub(crate) process Shop {
        state: Order,

        task book -> u32 {
            run: book,
            effect: transaction,
            retry: { max: 99, backoff: 1ms..9ms },
            update: booked,
            next: note,
        }

        task note {
            run: note,
            effect: transaction,
            retry: { max: 99, backoff: 1ms..9ms },
            next: lines,
        }

        task lines -> u32 {
            for_each: item in state.items,
            run: line,
            effect: transaction,
            retry: { max: 99, backoff: 1ms..9ms },
            update: lines,
            next: both,
        }

        parallel both [left, right] => pack

        task left -> u32 {
            run: side,
            effect: transaction,
            retry: { max: 99, backoff: 1ms..9ms },
            update: left,
            next: pack,
        }

        task right -> u32 {
            run: side,
            effect: transaction,
            retry: { max: 99, backoff: 1ms..9ms },
            update: right,
            next: pack,
        }

        task pack {
            process: Pack with Parcel::default(),
            update: { packed = output.packed },
            next: done,
        }

        task done { end }
    }
}

cot_process! {
    pub(crate) process Pack {
        state: Parcel,

        task wrap -> u32 {
            run: wrap,
            effect: transaction,
            retry: { max: 99, backoff: 1ms..9ms },
            update: packed,
            next: wrapped,
        }

        task wrapped { end }
    }
}

/// How many rows a run of a [`Shop`] writes.
pub(crate) const ROWS: usize = 8;

async fn book(_: &Order, db: &mut Connection, cx: &Cx<'_, Shop>) -> Result<u32, Error> {
    write(db, &cx.call_key()).await
}

async fn note(_: &Order, db: &mut Connection, cx: &Cx<'_, Shop>) -> Result<(), Error> {
    write(db, &cx.call_key()).await.map(drop)
}

async fn line(_: &Order, item: &u32, db: &mut Connection, cx: &Cx<'_, Shop>) -> Result<u32, Error> {
    write(db, &cx.call_key()).await.map(|one| one * item)
}

async fn side(_: &Order, db: &mut Connection, cx: &Cx<'_, Shop>) -> Result<u32, Error> {
    write(db, &cx.call_key()).await
}

async fn wrap(_: &Parcel, db: &mut Connection, cx: &Cx<'_, Pack>) -> Result<u32, Error> {
    write(db, &cx.call_key()).await
}

async fn write(db: &mut Connection, key: &str) -> Result<u32, Error> {
    insert(db, key).await?;
    // The time in which the program can be killed with an open transaction.
    tokio::time::sleep(Duration::from_millis(1)).await;
    Ok(1)
}

/// Checks that each call of runs has written one row.
pub(crate) fn check_rows(rows: &[String], runs: usize) {
    let mut counts: HashMap<&str, u32> = HashMap::new();
    rows.iter().for_each(|row| *counts.entry(row).or_default() += 1);
    let doubled: Vec<_> = counts.iter().filter(|(_, count)| **count > 1).collect();
    assert!(doubled.is_empty(), "written twice: {doubled:?}");
    assert_eq!(counts.len(), ROWS * runs, "{counts:?}");
}

/// Items, branches and a sub-process write their rows once, and their results are in the state.
pub(crate) async fn writes_once(store: impl Store + 'static) {
    let runner = Shop::runner().store(store).run_id("shop");
    let run = runner.run(Order::of_three_items()).await.unwrap();
    let Order { booked, lines, left, right, packed, .. } = run.state;
    assert_eq!((booked, &*lines, left, right, packed), (1, &[1, 2, 3][..], 1, 1, 1));
}

/// What the function of [`Trouble`] does after it has written a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    None,
    Error,
    Panic,
    /// Longer than the store allows.
    Hang,
    /// It ends the transaction.
    Commit,
    /// It waits until the test lets it go on.
    Wait,
    /// It returns an output that `process_output` rejects.
    Rejected,
    /// It returns an output on which `process_output` panics.
    PanicLater,
}

/// The faults of the next calls, one for each; then there are none.
#[derive(Debug, Clone)]
pub(crate) struct Faults {
    next: Arc<Mutex<Vec<Fault>>>,
    calls: Arc<AtomicU32>,
    /// A function hangs or waits.
    pub(crate) hangs: Arc<Notify>,
    /// The function that waits continues.
    pub(crate) waits: Arc<Notify>,
}

impl Faults {
    pub(crate) fn new(faults: &[Fault]) -> Self {
        let next = faults.iter().rev().copied().collect();
        Self {
            next: Arc::new(Mutex::new(next)),
            calls: Arc::default(),
            hangs: Arc::default(),
            waits: Arc::default(),
        }
    }

    pub(crate) fn calls(&self) -> u32 {
        self.calls.load(Ordering::SeqCst)
    }

    fn take(&self) -> Fault {
        self.calls.fetch_add(1, Ordering::SeqCst);
        self.next.lock().unwrap().pop().unwrap_or(Fault::None)
    }
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Try {
    /// The fault whose function has returned.
    pub(crate) result: String,
}

cot_process! {
    pub(crate) process Trouble {
        state: Try,
        context: Faults,

        task attempt -> String {
            run: attempt,
            effect: transaction,
            process_output: keep,
            retry: { max: 3, backoff: 1ms..2ms },
            next: done,
        }

        task done { end }
    }
}

async fn attempt(_: &Try, db: &mut Connection, cx: &Cx<'_, Trouble>) -> Result<String, Error> {
    let fault = cx.app().take();
    insert(db, &format!("{fault:?}")).await?;
    match fault {
        Fault::Error => insert(db, "no text of a row\0").await.map(|()| String::new()),
        Fault::Panic => panic!("as the test wants"),
        Fault::Commit => end(db).await.map(|()| String::new()),
        Fault::Wait => {
            cx.app().hangs.notify_one();
            cx.app().waits.notified().await;
            Ok("Wait".to_owned())
        }
        Fault::Hang => {
            cx.app().hangs.notify_one();
            std::future::pending().await
        }
        fault => Ok(format!("{fault:?}")),
    }
}

fn keep(output: &String, state: &mut Try) -> Result<(), Issues> {
    match &**output {
        "Rejected" => Err(Issues::at("$", "as the test wants")),
        "PanicLater" => panic!("as the test wants"),
        output => {
            output.clone_into(&mut state.result);
            Ok(())
        }
    }
}

/// Attempts that fail leave nothing, and the next one writes.
pub(crate) async fn rolls_back(store: impl Store + Clone + 'static) {
    let all = [Fault::Error, Fault::Panic, Fault::Hang, Fault::Rejected, Fault::Commit];
    for (number, fault) in all.into_iter().enumerate() {
        let faults = Faults::new(&[fault]);
        let runner = Trouble::runner(faults.clone()).store(store.clone());
        let run: RunId = format!("trouble-{number}").parse().unwrap();
        let ended = runner.run_id(run.as_str()).run(Try::default()).await.unwrap();
        assert_eq!((&*ended.state.result, faults.calls()), ("None", 2), "{fault:?}");
        let history = RunHistory::load(&store, &run).await.unwrap().unwrap();
        let failed: Vec<_> = history.steps.iter().flat_map(|step| &step.attempts).collect();
        assert!(format!("{failed:?}").contains(said(fault)), "{fault:?}: {failed:?}");
    }
}

/// What the failed attempt of a fault says.
const fn said(fault: Fault) -> &'static str {
    match fault {
        Fault::Commit => "the function has ended the transaction itself",
        Fault::Hang => "kept its transaction open for longer than",
        Fault::Error => REFUSED,
        _ => "as the test wants",
    }
}

/// A panic while the output is committed halts the run, and leaves nothing.
pub(crate) async fn panics_roll_back(store: impl Store + Clone + 'static) {
    let runner = Trouble::runner(Faults::new(&[Fault::PanicLater])).store(store.clone());
    let error = runner.run_id("panic").run(Try::default()).await.unwrap_err().to_string();
    assert!(error.contains("as the test wants"), "{error}");
}

/// A request to cancel the run ends the function, and leaves nothing.
pub(crate) async fn cancels_roll_back(store: impl Store + Clone + 'static) {
    let faults = Faults::new(&[Fault::Hang]);
    let runner = Trouble::runner(faults.clone()).store(store.clone());
    let mut run = runner.run_id("cancelled").start(Try::default()).unwrap();
    let handle = run.handle();
    tokio::select! {
        () = async { while run.next().await.is_some() {} } => panic!("the function hangs"),
        () = faults.hangs.notified() => {}
    }
    handle.cancel("as the test wants");
    while run.next().await.is_some() {}
    drop(run);
    let run = store.run(&"cancelled".parse().unwrap()).await.unwrap().unwrap();
    assert!(matches!(&run.status, Status::Ended { why, .. } if why.contains("as the test wants")));
}
