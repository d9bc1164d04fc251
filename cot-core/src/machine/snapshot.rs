//! A run as data, to go on with elsewhere.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc, time::Duration};

use cot_model::Usage;
use serde::{Deserialize, Serialize, ser::Error as _};
use serde_json::{Value, value::RawValue};

use super::{
    CallId, Machine, MachineOptions, SnapshotError,
    core::Core,
    limits::Limits,
    naming::map_ending,
    panics::caught,
    phase::{Arrival, Ask, Checking, Each, Pause, Phase, Tries, Visit},
    restore::inconsistent,
    typed::Typed,
};
use crate::{
    Attempt, Halt, History, Inputs, Process, blueprint::TaskIndex,
    engine::snapshot::fingerprint::Fingerprint, outcome::Ending, panicked::in_words,
};

/// Version of what a snapshot looks like.
pub(super) const FORMAT: u32 = 2;

/// What a snapshot of a run of a process of some ten tasks takes besides its state, history and goal.
const REST_BYTES: usize = 3072;

/// A run as data: [`Machine::snapshot`] takes it, [`Machine::resume`] goes on with it, in another
/// program or another version of this one. It is made for JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Snapshot {
    pub(super) format: u32,
    pub(super) process: String,
    pub(super) position: Position,
    pub(super) callers: Vec<Delivery>,
    pub(super) goal: String,
    pub(super) state: Box<RawValue>,
    pub(super) history: Arc<History>,
    pub(super) last_output: Option<LastOutput>,
    /// How many times the run has come to each task, by name; never is left out.
    pub(super) visits: BTreeMap<String, u32>,
    #[serde(default)]
    pub(super) is_alone: bool,
    #[serde(default)]
    pub(super) last_failure: Option<Halt<String>>,
    /// The tasks that have gone elsewhere because the budget is used up.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) out_of_budget: Vec<String>,
    /// What was delivered to the task at which the run halted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) halted_inputs: Option<Box<RawValue>>,
    pub(super) usage: Usage,
    pub(super) steps: u64,
    pub(super) elapsed: Duration,
    /// The last call id that was given out.
    pub(super) last_call: u64,
    pub(super) options: MachineOptions,
    #[serde(default)]
    pub(super) inherited: Limits,
    pub(super) fingerprint: Cow<'static, Fingerprint>,
}

/// A task by name, and what was delivered to it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Delivery {
    pub(super) task: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) inputs: Option<Box<RawValue>>,
}

/// The output that was committed last.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct LastOutput {
    pub(super) task: String,
    pub(super) output: Box<RawValue>,
}

/// Where a run stands, with tasks by name.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Position {
    /// A task is about to start.
    At { arrival: Delivery, has_waited: bool },
    /// A task waits for its time.
    Waiting { arrival: Delivery, call: CallId },
    /// A task waits for a model.
    Calling { visit: Delivery, asked: Asked },
    /// A for-each task waits for a model.
    Each {
        visit: Delivery,
        total: usize,
        next: usize,
        done: BTreeMap<usize, Value>,
        /// What the accepted attempts consumed.
        #[serde(default)]
        usage: Usage,
        asked: Vec<Asked>,
        /// The time of the run when the task began.
        began: Duration,
    },
    /// A task waits for a function, or before the next attempt at it.
    Running {
        visit: Delivery,
        asked: Asked,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_pausing: bool,
    },
    /// A task waits for a person.
    Asking { visit: Delivery, asked: Asked },
    /// A task runs another process.
    Within { visit: Delivery, asked: Asked, process: Box<Snapshot> },
    /// The run is over.
    Finished(Ending<String>),
}

/// What somebody is being asked.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) call: CallId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) item: Option<usize>,
    #[serde(default)]
    pub(super) engine: usize,
    pub(super) attempts: Vec<Attempt>,
    pub(super) spent: Duration,
    /// How long the calls took that were made before in the same lane of a for-each task.
    #[serde(default, skip_serializing_if = "Duration::is_zero")]
    pub(super) lane: Duration,
    /// The output that an async `check` looks at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) checking: Option<Unchecked>,
}

/// An output that an async `check` looks at, and what the reply was and cost that it came in.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Unchecked {
    value: Value,
    reply: String,
    usage: Usage,
    elapsed: Duration,
}

impl Snapshot {
    /// Reads a snapshot from its JSON text.
    ///
    /// # Errors
    ///
    /// When the text is cut off, is not a snapshot, or is one of another format.
    pub fn from_json(json: &str) -> Result<Self, SnapshotError> {
        let header: Header = serde_json::from_str(json).map_err(|error| unreadable(error, json))?;
        check_format(header.format)?;
        serde_json::from_str(json).map_err(|error| unreadable(error, json))
    }

    /// The snapshot as JSON text.
    ///
    /// # Errors
    ///
    /// None that is known: all of it is JSON already.
    pub fn to_json(&self) -> serde_json::Result<String> {
        let mut json = Vec::with_capacity(self.bytes());
        serde_json::to_writer(&mut json, self)?;
        String::from_utf8(json).map_err(serde_json::Error::custom)
    }

    /// About how many bytes it takes as JSON, where nothing but the state and the history is long.
    fn bytes(&self) -> usize {
        let entries: usize = self.history.iter().map(|entry| entry.json().len() + 1).sum();
        self.state.get().len() + entries + self.goal.len() + REST_BYTES
    }

    /// Name of the process that the snapshot is of.
    #[must_use]
    pub fn process(&self) -> &str {
        &self.process
    }

    /// Name of the task at which the run stands or has ended.
    #[must_use]
    pub fn task(&self) -> &str {
        match &self.position {
            Position::At { arrival, .. } | Position::Waiting { arrival, .. } => &arrival.task,
            Position::Calling { visit, .. }
            | Position::Each { visit, .. }
            | Position::Running { visit, .. }
            | Position::Asking { visit, .. }
            | Position::Within { visit, .. } => &visit.task,
            Position::Finished(ending) => match ending {
                Ending::End(task) | Ending::Fail(task, _) | Ending::RanOut(task) => task,
                Ending::Halted(halt) => &halt.task,
            },
        }
    }
}

impl<P: Process> Machine<P> {
    /// The run as data, at any point of it.
    ///
    /// # Errors
    ///
    /// When the machine has not been started, or the state can't be JSON (its maps need keys that
    /// are strings or numbers).
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        let run = self.run.as_ref().ok_or(SnapshotError::Idle)?;
        let taken = caught(|| run.core.snapshot(&run.host));
        taken.unwrap_or_else(|payload| Err(SnapshotError::Panicked(in_words(&*payload))))
    }
}

impl Core {
    pub(super) fn snapshot(&self, host: &dyn Typed) -> Result<Snapshot, SnapshotError> {
        let name = |task: TaskIndex| self.name(task).to_owned();
        let callers = self.callers.as_slice().iter();
        let counted = self.visits.iter().enumerate().filter(|(_, count)| **count > 0);
        Ok(Snapshot {
            format: FORMAT,
            process: self.definition.about.name.to_owned(),
            position: self.position()?,
            callers: callers
                .map(|caller| self.delivery(caller.task, caller.inputs.as_ref()))
                .collect::<Result<_, _>>()?,
            goal: self.goal.clone(),
            state: host.state_json().map_err(SnapshotError::UnwritableState)?,
            history: Arc::clone(&self.history),
            last_output: host.last_output_json().and_then(|(task, output)| {
                Some(LastOutput { task: name(task), output: output.ok()? })
            }),
            visits: counted.map(|(task, count)| (name(task), *count)).collect(),
            is_alone: self.is_alone,
            last_failure: self.last_failure.clone().map(|Halt { task, reason, attempts }| Halt {
                task: name(task),
                reason,
                attempts,
            }),
            out_of_budget: self.out_of_budget.iter().map(|task| name(*task)).collect(),
            halted_inputs: match &self.phase {
                Phase::Finished { ending: Ending::Halted(halt) } => {
                    self.delivery(halt.task, self.delivered.as_ref())?.inputs
                }
                _ => None,
            },
            usage: self.usage,
            steps: self.steps,
            elapsed: self.elapsed,
            last_call: self.last_call,
            options: self.options.clone(),
            inherited: self.inherited,
            fingerprint: Cow::Borrowed(host.fingerprint()),
        })
    }

    fn position(&self) -> Result<Position, SnapshotError> {
        let visit = |visit: &Visit| self.delivery(visit.task, visit.inputs.as_ref());
        let arrived = |arrival: &Arrival| self.delivery(arrival.task, arrival.inputs.as_ref());
        Ok(match &self.phase {
            Phase::At(arrival) => {
                Position::At { arrival: arrived(arrival)?, has_waited: arrival.has_waited }
            }
            Phase::Waiting { arrival, id } => {
                Position::Waiting { arrival: arrived(arrival)?, call: *id }
            }
            Phase::Calling { visit: of, ask } => {
                Position::Calling { visit: visit(of)?, asked: Asked::of(ask) }
            }
            Phase::Each(each) => self.position_in_each(each)?,
            Phase::Running { visit: of, tries, id, pause, .. } => Position::Running {
                visit: visit(of)?,
                asked: Asked::tried(*id, tries),
                is_pausing: *pause == Pause::Backoff,
            },
            Phase::Asking { visit: of, tries, id, .. } => {
                let checking = self.checking().map(Unchecked::new);
                let asked = Asked { checking, ..Asked::tried(*id, tries) };
                Position::Asking { visit: visit(of)?, asked }
            }
            Phase::Within { visit: of, tries, child } => Position::Within {
                visit: visit(of)?,
                asked: Asked::tried(CallId(self.last_call), tries),
                process: Box::new(child.snapshot().ok_or(SnapshotError::Idle)??),
            },
            Phase::Taken { .. } => {
                return Err(inconsistent("a poll or an event has not come to its end"));
            }
            Phase::Finished { ending } => {
                let Ok(ending) = map_ending(ending.clone(), |task| {
                    Ok::<_, std::convert::Infallible>(self.name(task).to_owned())
                });
                Position::Finished(ending)
            }
        })
    }

    fn position_in_each(&self, each: &Each) -> Result<Position, SnapshotError> {
        let Each { visit, total, next, done, usage, asks, lanes, began, .. } = each;
        let asked = asks.values().map(|(lane, ask)| {
            let lane = lanes.get(*lane).copied().unwrap_or_default();
            Asked { lane, ..Asked::of(ask) }
        });
        Ok(Position::Each {
            visit: self.delivery(visit.task, visit.inputs.as_ref())?,
            total: *total,
            next: *next,
            done: done.clone(),
            usage: *usage,
            asked: asked.collect(),
            began: *began,
        })
    }

    fn delivery(
        &self,
        task: TaskIndex,
        inputs: Option<&Inputs>,
    ) -> Result<Delivery, SnapshotError> {
        let task = self.name(task).to_owned();
        match inputs.map(Inputs::to_json).transpose() {
            Ok(inputs) => Ok(Delivery { task, inputs }),
            Err(source) => Err(SnapshotError::UnwritableInputs { task, source }),
        }
    }
}

impl Asked {
    fn of(ask: &Ask) -> Self {
        let checking = ask.checking.as_deref().map(Unchecked::new);
        Self { item: ask.item, engine: ask.engine, checking, ..Self::tried(ask.id, &ask.tries) }
    }

    fn tried(call: CallId, tries: &Tries) -> Self {
        let (attempts, spent) = (tries.attempts.clone(), tries.spent);
        let (item, lane, checking) = (None, Duration::ZERO, None);
        Self { call, item, engine: 0, attempts, spent, lane, checking }
    }

    pub(super) fn into_tries(self) -> Tries {
        Tries { attempts: self.attempts, spent: self.spent }
    }
}

impl Unchecked {
    fn new(checking: &Checking) -> Self {
        let Checking { value, reply, usage, elapsed, .. } = checking;
        Self { value: value.clone(), reply: reply.clone(), usage: *usage, elapsed: *elapsed }
    }

    pub(super) fn into_checking(self) -> Box<Checking> {
        let Self { value, reply, usage, elapsed } = self;
        Box::new(Checking { value, reply, usage, elapsed, code: None })
    }
}

pub(super) fn check_format(found: u32) -> Result<(), SnapshotError> {
    if found == FORMAT { Ok(()) } else { Err(SnapshotError::Format { found, expected: FORMAT }) }
}

/// What every format of a snapshot has.
#[derive(Deserialize)]
struct Header {
    format: u32,
}

fn unreadable(error: serde_json::Error, json: &str) -> SnapshotError {
    let (line, column) = (error.line(), error.column());
    // A number that is cut off is an error of syntax where the text ends.
    let last_line = json.lines().last().map_or(0, str::len);
    let is_at_end = line >= json.lines().count() && column >= last_line;
    if error.is_eof() || (error.is_syntax() && is_at_end) {
        SnapshotError::Truncated { line, column }
    } else {
        SnapshotError::NotASnapshot(error)
    }
}
