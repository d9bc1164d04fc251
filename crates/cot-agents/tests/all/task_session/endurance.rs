//! Conversations of many turns.

use cot_core::store::{MemoryStore, Record, Store};
use cot_sqlite::SqliteStore;
use cot_task_format::{Block, Expr, Trace};

use super::*;

/// Whether the tests take the long form, which `.ci/long` runs.
fn is_long() -> bool {
    std::env::var_os("COT_LONG").is_some()
}

/// So many turns in the long form, and a fifth of them otherwise.
fn turns(all: usize) -> usize {
    if is_long() { all } else { all / 5 }
}

/// A model that answers each message with its number.
fn answering() -> Arc<ScriptedModel> {
    Arc::new(ScriptedModel::from_fn(|request| {
        let turn = request.prompt().rsplit("usr").next().unwrap_or_default();
        format!("plan {{ rationale ↦ \"Short.\" }}\nresponse「Answer {}」", turn.trim())
    }))
}

/// A model without a record of its requests.
struct Quick;

impl LanguageModel for Quick {
    fn reply<'a>(
        &'a self,
        _: &'a ModelRequest,
    ) -> cot_model::BoxFuture<'a, Result<ModelReply, cot_model::ModelError>> {
        let reply = "plan { rationale ↦ \"Short.\" }\nresponse「Yes.」";
        Box::pin(async move { Ok(ModelReply::new(reply)) })
    }
}

/// The trace of a conversation with so many turns.
fn trace(turns: usize) -> Trace {
    let mut blocks = vec![Block::new(BlockKind::System, "S")];
    for turn in 1..=turns {
        let question = Expr::from(format!("Question {turn}")).tag(format!("usr{turn}"));
        blocks.push(Block::new(BlockKind::User, question));
        blocks.extend(parse("plan { rationale ↦ \"Short.\" }").unwrap().blocks);
        blocks.push(Block::new(BlockKind::Response, format!("Answer {turn}")));
    }
    Trace::from(blocks)
}

/// Continues a session over so many turns.
async fn take_turns(turns: usize) {
    let mut session = Session::builder(Quick)
        .limits(SessionLimits { trace_bytes: usize::MAX, ..SessionLimits::default() })
        .build()
        .unwrap();
    for _ in 0..turns {
        session.user("Q").await.unwrap();
    }
    assert_eq!(session.trace().blocks.len(), 1 + 3 * turns);
    assert_eq!(session.usage().calls, turns as u64);
    let mut users = session.trace().blocks.iter().filter(|block| block.kind == BlockKind::User);
    let last = users.next_back().unwrap().content.tags()[0].value.clone();
    assert_eq!(last, format!("usr{turns}"));
}

#[tokio::test]
async fn a_session_has_many_turns() {
    take_turns(turns(1_000)).await;
}

#[tokio::test]
#[ignore = "takes long without optimizations"]
async fn a_session_has_ten_thousand_turns() {
    take_turns(10_000).await;
}

#[tokio::test]
async fn a_trace_of_many_turns_continues() {
    let turns = turns(10_000);
    let builder = Session::builder(answering());
    let mut session = builder.clone().resume(trace(turns)).unwrap();
    assert_eq!(session.user("More?").await.unwrap(), format!("Answer {}", turns + 1));
    assert_sound(&session);
    // A prompt has a limit.
    let mut session = builder
        .limits(SessionLimits { trace_bytes: 10_000, ..SessionLimits::default() })
        .resume(trace(turns))
        .unwrap();
    let error = session.user("More?").await.unwrap_err();
    assert!(matches!(error, SessionError::TraceLimit { limit: 10_000, .. }), "{error}");
}

/// The bytes of the snapshots that a turn stores, without full ones.
async fn stored_bytes(store: &MemoryStore, from: u64) -> (u64, usize) {
    let entries = store.entries(&"talk".parse().unwrap(), from, 10_000).await.unwrap();
    let next = entries.last().map_or(from, |entry| entry.number + 1);
    let bytes = entries.iter().map(|entry| match &entry.record {
        Record::Step(step) => serde_json::to_string(&step.progress).unwrap().len(),
        _ => 0,
    });
    (next, bytes.sum())
}

#[tokio::test]
async fn what_a_turn_stores_does_not_grow() {
    let store = MemoryStore::default();
    let mut session = Session::builder(Quick).open(store.clone(), "talk").await.unwrap();
    let (mut next, mut bytes) = (0, Vec::new());
    for _ in 0..400 {
        session.user("Q").await.unwrap();
        let (end, stored) = stored_bytes(&store, next).await;
        next = end;
        bytes.push(stored);
    }
    let sum = |range: std::ops::Range<usize>| bytes[range].iter().sum::<usize>();
    // Full snapshots are as long as the deltas since the one before.
    assert!(sum(300..400) < 2 * sum(100..200), "{} {}", sum(300..400), sum(100..200));
    assert!(sum(0..400) / 400 < 4_000, "{}", sum(0..400) / 400);
}

/// The file of a conversation grows by about as much with each turn, in whatever program.
#[tokio::test]
async fn the_file_of_a_conversation_grows_evenly() {
    if !is_long() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.db");
    let mut sizes = Vec::new();
    for _ in 0..4 {
        let store = SqliteStore::open(&path).unwrap();
        let mut session = Session::builder(Quick).open(store.clone(), "talk").await.unwrap();
        for _ in 0..50 {
            assert_eq!(session.user("Question ".repeat(20)).await.unwrap(), "Yes.");
        }
        drop(session);
        store.vacuum().await.unwrap();
        drop(store);
        sizes.push(std::fs::metadata(&path).unwrap().len());
    }
    let grown: Vec<u64> = sizes.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(grown[2] < grown[0] * 3 / 2, "{sizes:?} {grown:?}");
}
