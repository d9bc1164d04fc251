//! Calls with effects, which a sink outside of the program records.

use std::{fs::OpenOptions, io, io::Write as _, path::PathBuf, time::Duration};

use cot_core::prelude::*;
use serde::{Deserialize, Serialize};

/// How many runs pay, each with one call of each effect.
pub const PAYMENTS: u32 = 300;

/// A service that records each call in a file, as a line with its key.
#[derive(Debug, Clone)]
pub struct Sink {
    /// The file.
    pub file: PathBuf,
}

impl Sink {
    /// Records a call. Nothing is lost if the program is killed afterwards.
    pub(crate) async fn record(&self, effect: &str, key: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.file)?;
        file.write_all(format!("{effect} {key}\n").as_bytes())?;
        // The time in which the program can be killed before the result is durable.
        tokio::time::sleep(Duration::from_millis(3)).await;
        Ok(())
    }

    /// Charges. One connection in five is lost after the charge.
    async fn charge(&self, key: &str) -> io::Result<bool> {
        self.record("once", key).await?;
        let is_lost = key.bytes().map(u32::from).sum::<u32>().is_multiple_of(5);
        if is_lost { Err(io::ErrorKind::ConnectionReset.into()) } else { Ok(true) }
    }
}

/// What a run has paid.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Payment {
    /// Whether the charge is known to be made.
    pub is_charged: bool,
}

cot_process! {
    /// Charges once, and informs as often as it takes.
    pub process Payments {
        state: Payment,
        context: Sink,

        task charge -> bool {
            run: charge,
            effect: once,
            retry: { max: 3, backoff: 1ms..1ms },
            update: is_charged,
            on: { interrupted => inform },
            next: inform,
        }

        task inform { run: inform, next: done }

        task done { end }
    }
}

async fn charge(_: &Payment, cx: &Cx<'_, Payments>) -> io::Result<bool> {
    cx.app().charge(&cx.call_key()).await
}

async fn inform(_: &Payment, cx: &Cx<'_, Payments>) -> io::Result<()> {
    cx.app().record("repeatable", &cx.call_key()).await
}

/// The next version, in which the task that charges has another name.
pub mod next {
    use std::io;

    use cot_core::prelude::*;

    use super::{Payment, Sink};

    cot_process! {
        /// Charges once, and informs as often as it takes.
        pub process Payments {
            state: Payment,
            context: Sink,

            task collect -> bool {
                run: collect,
                effect: once,
                retry: { max: 3, backoff: 1ms..1ms },
                update: is_charged,
                on: { interrupted => inform },
                next: inform,
            }

            task inform { run: inform, next: done }

            task done { end }
        }
    }

    async fn collect(_: &Payment, cx: &Cx<'_, Payments>) -> io::Result<bool> {
        cx.app().charge(&cx.call_key()).await
    }

    async fn inform(_: &Payment, cx: &Cx<'_, Payments>) -> io::Result<()> {
        cx.app().record("repeatable", &cx.call_key()).await
    }
}
