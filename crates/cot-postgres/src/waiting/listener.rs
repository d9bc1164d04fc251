//! The task that receives the notifications of answers, requests to cancel and due runs.
//!
//! Notifications of Postgres wake the calls that wait. They do not come through a proxy that gives each transaction
//! another connection, such as pgbouncer: so the task first sends one to itself, and as long as that has not come, it
//! looks into the database every second, with one query for all calls. It looks from time to time in any case.

use std::{sync::Arc, time::Duration};

use sqlx::{PgPool, postgres::PgListener};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep};

use crate::{database::Database, error::OperationError, waiting::waiters::Waiters};

/// How often the database is looked at while notifications do not come.
const POLL: Duration = Duration::from_secs(1);
/// How often it is looked at while they come.
const SLOW_POLL: Duration = Duration::from_secs(15);

/// What is sent when runs have become due. No run can have this name, nor one that begins with the same character.
pub(crate) const DUE: &str = "*due";

/// Wakes the calls that wait, until the task is ended. `own` are connections of the task.
pub(crate) async fn listen(db: Database, own: PgPool, waiters: Arc<Waiters>) {
    loop {
        // What was missed is looked for after each loss of the connection.
        let _ = serve(&db, &own, &waiters).await;
        let _ = look(&db, &waiters).await;
        sleep(POLL).await;
    }
}

async fn serve(db: &Database, own: &PgPool, waiters: &Waiters) -> Result<(), OperationError> {
    let channel = db.channel();
    let mut listener = PgListener::connect_with(own).await?;
    listener.listen(&channel).await?;
    let probe = format!("*probe-{:x}", fastrand::u64(..));
    sqlx::query("SELECT pg_notify($1, $2)").bind(&channel).bind(&probe).execute(&db.pool).await?;
    look(db, waiters).await?;
    // Other notifications do not put the next look off.
    let mut looks = every(POLL);
    loop {
        tokio::select! {
            notification = listener.try_recv() => match notification? {
                Some(heard) if heard.payload() == probe => looks = every(SLOW_POLL),
                Some(heard) if heard.payload() == DUE => waiters.due.notify_waiters(),
                Some(heard) => waiters.wake(heard.payload()),
                None => return Ok(()),
            },
            _ = looks.tick() => look(db, waiters).await?,
        }
    }
}

fn every(period: Duration) -> Interval {
    let mut ticks = interval_at(Instant::now() + period, period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Looks for what calls wait for, with one query.
async fn look(db: &Database, waiters: &Waiters) -> Result<(), OperationError> {
    let runs = waiters.runs();
    if runs.is_empty() {
        return Ok(());
    }
    let sql = db.sql(
        "SELECT run FROM cot.runs WHERE run = ANY($1) AND (answer_key IS NOT NULL OR cancel_at IS NOT NULL)",
    );
    let found: Vec<String> = sqlx::query_scalar(&sql).bind(runs).fetch_all(&db.pool).await?;
    found.iter().for_each(|run| waiters.wake(run));
    Ok(())
}
