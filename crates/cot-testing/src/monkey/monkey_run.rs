//! One run of a monkey test.

use std::{
    any::Any,
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use cot_engine::{
    Action, Bound, Directive, Ending, Event, EventOutcome, Halt, HaltReason, Machine, Panic,
    Process, WorstCase, internal::panic_message,
};
use cot_schema::internal::truncate;

use super::{
    compare,
    invariants::InvariantResult,
    problem::Problem,
    report::MonkeyReport,
    responder::{Answer, AnswerSummary, Responder},
    settings::Settings,
};
use crate::random::Random;

/// A run in progress.
pub(super) struct MonkeyRun<'m, P: Process> {
    settings: &'m Settings<P>,
    responder: &'m mut Responder,
    machine: Machine<P>,
    run: u64,
    /// Decides when to repeat polls and answers. It is separate from the answers, so that repetitions do not
    /// change them.
    probes: Random,
    last_answers: VecDeque<AnswerSummary>,
    answers: u64,
    /// Number of consecutive rejected human answers.
    consecutive_rejections: u64,
    used: WorstCase,
    running_code: RunningCode<'m>,
    /// The task that was answered last, or will be answered next.
    task: Option<P::Task>,
    /// The previously checked state, if there are step invariants.
    previous_state: Option<P::State>,
}

/// The code that is executing, to which a panic is attributed.
#[derive(Clone, Copy)]
enum RunningCode<'m> {
    Process,
    Function,
    Invariant(&'m str),
}

/// A failed run.
pub(super) struct FailedRun<P: Process> {
    pub(super) problem: Problem,
    pub(super) run: u64,
    pub(super) step: u64,
    pub(super) task: Option<P::Task>,
    pub(super) state: Option<String>,
    pub(super) last_answers: VecDeque<AnswerSummary>,
    answers: u64,
}

/// The number of answers in a failure report.
const MAX_LAST_ANSWERS: usize = 8;
/// One call or question.
const ONE: Bound = Bound::at_most(1);
/// The maximum number of answers in a run.
const MAX_ANSWERS: u64 = 200_000;
/// The maximum number of consecutive rejected human answers.
const MAX_REJECTIONS: u64 = 200;
/// The percentage of polls and answers that are repeated.
const REPEAT_PERCENT: u64 = 5;
/// The percentage of steps after which the run is resumed from a snapshot.
const SNAPSHOT_PERCENT: u64 = 1;

impl<'m, P: Process> MonkeyRun<'m, P> {
    pub(super) fn new(settings: &'m Settings<P>, responder: &'m mut Responder, run: u64) -> Self {
        let [replies, hand, probes] =
            [1, 2, 3].map(|stream| Random::derive_seed(settings.seed, run, stream));
        responder.reseed(replies, hand);
        Self {
            settings,
            responder,
            machine: Machine::with_context(Arc::clone(&settings.context))
                .options(settings.options.clone()),
            run,
            probes: Random::seeded(probes),
            last_answers: VecDeque::with_capacity(MAX_LAST_ANSWERS),
            answers: 0,
            consecutive_rejections: 0,
            used: WorstCase::NOTHING,
            running_code: RunningCode::Process,
            task: None,
            previous_state: None,
        }
    }

    /// Drives the run to its end and adds its counts to the report.
    pub(super) fn execute(mut self, report: &mut MonkeyReport<P>) -> Result<(), Box<FailedRun<P>>> {
        // After a panic, the machine is only inspected.
        let ended = catch_unwind(AssertUnwindSafe(|| self.drive(report)));
        let ended = ended.unwrap_or_else(|payload| Err(self.panic_problem(&*payload)));
        report.add_run(self.machine.steps(), &self.used, self.answers);
        match ended {
            Ok(ending) => {
                report.add_ending(&ending);
                Ok(())
            }
            Err(problem) => Err(self.into_failure(problem)),
        }
    }

    fn drive(&mut self, report: &MonkeyReport<P>) -> Result<Ending<P::Task>, Problem> {
        self.start()?;
        loop {
            let directives = self.machine.poll().directives().to_vec();
            self.record_coverage(report);
            // Polling can commit the state of a finished sub-process.
            if has_processes::<P>() {
                self.check()?;
            }
            self.task = self.machine.task();
            self.repeat_poll(&directives)?;
            let Some(answer) = self.answer(&directives)? else {
                return self.end();
            };
            self.apply_answer(answer)?;
            self.record_coverage(report);
            self.check_limits()?;
        }
    }

    fn start(&mut self) -> Result<(), Problem> {
        self.prepare();
        self.machine.record(true);
        let state = (self.settings.state)(self.run);
        self.machine.start(state).map_err(Problem::Start)?;
        self.check()
    }

    fn prepare(&mut self) {
        if let Some(prepare) = &self.settings.prepare {
            prepare(&mut self.machine);
        }
    }

    fn record_coverage(&mut self, report: &MonkeyReport<P>) {
        report.coverage().record_all(self.machine.drain_events());
    }

    fn answer(&mut self, directives: &[Directive<P::Task>]) -> Result<Option<Answer>, Problem> {
        if let Some(Action::RunFunction(_)) = directives.first().map(|first| &first.action) {
            self.running_code = RunningCode::Function;
        }
        let answer = self.responder.answer(self.settings, directives);
        self.running_code = RunningCode::Process;
        let answer = answer?;
        let id = answer.as_ref().and_then(|answer| answer.event.id());
        let answered = directives.iter().find(|directive| Some(directive.id) == id);
        if let (Some(answer), Some(answered)) = (&answer, answered)
            && let Some(used) = answer.used(&answered.action)
        {
            self.used = WorstCase::from_fn(|quantity| {
                let before = self.used.bound(quantity);
                if quantity == used { before.plus(ONE) } else { before }
            });
        }
        Ok(answer)
    }

    fn apply_answer(&mut self, answer: Answer) -> Result<(), Problem> {
        let Answer { event, summary } = answer;
        if self.last_answers.len() == MAX_LAST_ANSWERS {
            self.last_answers.pop_front();
        }
        self.last_answers.push_back(summary);
        self.answers += 1;
        let again = self.probes.percent(REPEAT_PERCENT).then(|| event.clone());
        let is_of_person = matches!(event, Event::Answered { .. });
        match self.machine.handle(event) {
            EventOutcome::Applied => self.consecutive_rejections = 0,
            EventOutcome::Refused(_) if is_of_person => self.consecutive_rejections += 1,
            other => return Err(Problem::NotTaken(other)),
        }
        self.check()?;
        match again.map(|event| self.machine.handle(event)) {
            None | Some(EventOutcome::Stale | EventOutcome::NotRunning) => Ok(()),
            Some(other) => Err(Problem::TakenTwice(other)),
        }
    }

    fn repeat_poll(&mut self, directives: &[Directive<P::Task>]) -> Result<(), Problem> {
        let outcome = self.machine.outcome();
        if self.probes.percent(REPEAT_PERCENT) {
            compare::same_directives(directives, self.machine.poll().directives())
                .map_err(Problem::Poll)?;
            compare::same_value("the outcome", &outcome, &self.machine.outcome())
                .map_err(Problem::Poll)?;
        }
        if self.settings.takes_snapshots && self.probes.percent(SNAPSHOT_PERCENT) {
            self.machine = compare::resume_from_snapshot(&self.machine, &self.settings.context)
                .map_err(Problem::Snapshot)?;
            self.prepare();
            compare::same_directives(directives, self.machine.poll().directives())
                .map_err(Problem::Resumed)?;
            compare::same_value("the outcome", &outcome, &self.machine.outcome())
                .map_err(Problem::Resumed)?;
            // Enabled only now, since the events of earlier steps were recorded already.
            self.machine.record(true);
        }
        Ok(())
    }

    fn check_limits(&self) -> Result<(), Problem> {
        let steps = self.machine.steps();
        let own = self.settings.options.max_steps.or(P::DEFINITION.max_steps);
        let limit = own.unwrap_or(u64::MAX).min(self.settings.max_steps);
        if steps > limit {
            return Err(Problem::Steps { steps, limit });
        }
        for &quantity in self.settings.bounded_quantities() {
            let bound = P::DEFINITION.bounds.run.bound(quantity);
            let used = self.used.bound(quantity);
            if used > bound {
                return Err(Problem::Bound { quantity, used, bound });
            }
        }
        if self.answers > MAX_ANSWERS || self.consecutive_rejections > MAX_REJECTIONS {
            return Err(Problem::Endless(self.answers));
        }
        Ok(())
    }
}

/// Checks of invariants.
impl<'m, P: Process> MonkeyRun<'m, P> {
    /// Checks the invariants that hold at all times.
    fn check(&mut self) -> Result<(), Problem> {
        let (settings, ended) = (self.settings, !self.machine.is_running());
        let invariants = &settings.invariants;
        if invariants.between_tasks_only && !ended && !self.machine.at_task_boundary() {
            return Ok(());
        }
        for (name, holds) in invariants.of_machine.iter() {
            self.check_invariant(name, |machine| holds(machine))?;
        }
        for (name, holds) in invariants.of_state.iter() {
            self.check_invariant(name, |machine| machine.state().map_or(Ok(()), holds))?;
        }
        if invariants.of_steps.is_empty() {
            return Ok(());
        }
        if let Some(old) = self.previous_state.take() {
            for (name, holds) in invariants.of_steps.iter() {
                self.check_invariant(name, |machine| {
                    machine.state().map_or(Ok(()), |new| holds(&old, new))
                })?;
            }
        }
        self.previous_state = self.machine.state().cloned();
        Ok(())
    }

    /// Checks the invariants of the final state.
    fn end(&mut self) -> Result<Ending<P::Task>, Problem> {
        let (Some(outcome), Some(ending)) = (self.machine.outcome(), self.machine.ending()) else {
            return Err(Problem::NotTaken(EventOutcome::NotRunning));
        };
        if let Ending::Halted(Halt { task, reason, .. }) = &ending
            && let Some(panic) = panic_of(reason)
        {
            self.task = Some(*task);
            return Err(Problem::Panicked(panic.to_string()));
        }
        let settings = self.settings;
        for (name, holds) in settings.invariants.of_ends.iter() {
            self.check_invariant(name, |machine| {
                machine.state().map_or(Ok(()), |state| holds(&outcome, state))
            })?;
        }
        Ok(ending)
    }

    fn check_invariant(
        &mut self,
        name: &'m str,
        holds: impl FnOnce(&Machine<P>) -> InvariantResult,
    ) -> Result<(), Problem> {
        let before = std::mem::replace(&mut self.running_code, RunningCode::Invariant(name));
        let held = holds(&self.machine);
        self.running_code = before;
        held.map_err(|why| Problem::Invariant { name: name.to_owned(), why })
    }

    fn panic_problem(&self, payload: &(dyn Any + Send)) -> Problem {
        let message_text = panic_text(payload);
        match self.running_code {
            RunningCode::Process => Problem::Panicked(message_text),
            RunningCode::Function => Problem::FunctionPanicked(message_text),
            RunningCode::Invariant(name) => {
                Problem::Invariant { name: name.to_owned(), why: Some(message_text) }
            }
        }
    }

    fn into_failure(self, problem: Problem) -> Box<FailedRun<P>> {
        let state = self.machine.state().and_then(|state| serde_json::to_string(state).ok());
        // After an answer, the machine is already at the next task.
        let known = if problem.is_panic() { None } else { self.task };
        Box::new(FailedRun {
            problem,
            run: self.run,
            step: self.machine.steps(),
            task: known.or_else(|| self.machine.task()),
            state,
            last_answers: self.last_answers,
            answers: self.answers,
        })
    }
}

impl<P: Process> FailedRun<P> {
    pub(super) const fn is_shorter_than(&self, other: &Self) -> bool {
        self.answers < other.answers
    }
}

/// Returns whether the process has sub-processes.
fn has_processes<P: Process>() -> bool {
    P::CODE.tasks.iter().any(|task| task.work.process().is_some())
}

/// Returns the panic that halted a run or one of its sub-processes.
fn panic_of(reason: &HaltReason) -> Option<&Panic> {
    match reason {
        HaltReason::Panicked(panic) => Some(panic),
        HaltReason::ProcessFailed(nested) => nested.reason.as_ref().and_then(panic_of),
        _ => None,
    }
}

/// The limit up to which a panic message is quoted.
const MAX_PANIC_BYTES: usize = 500;

/// Returns the message of a panic.
fn panic_text(payload: &(dyn Any + Send)) -> String {
    truncate(panic_message(payload).unwrap_or("a value that is not a text"), MAX_PANIC_BYTES)
        .to_owned()
}
