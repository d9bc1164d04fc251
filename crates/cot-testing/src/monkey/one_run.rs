//! One run of a process, from its start to its end.

use std::{
    any::Any,
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
};

use cot_engine::{
    Action, Directive, Ending, Event, EventOutcome, Halt, HaltReason, Machine, Panic, Process,
    internal::{TaskFunction, panic_message},
};
use cot_schema::internal::truncate;

use super::{
    answers::{Answer, Hands, Told},
    invariants::Held,
    probe,
    problem::Problem,
    report::MonkeyReport,
    settings::Settings,
};
use crate::random::Random;

/// A run that is under way.
pub(super) struct OneRun<'m, P: Process> {
    settings: &'m Settings<P>,
    hands: &'m mut Hands,
    machine: Machine<P>,
    run: u64,
    /// When to look twice. It is apart from what answers, so that looking changes no answer.
    probes: Random,
    told: VecDeque<Told>,
    answers: u64,
    /// How many answers of people were refused since another one was taken.
    refused: u64,
    calls: u64,
    doing: Doing<'m>,
    /// The task whose answer was taken last, or will be next.
    task: Option<P::Task>,
    /// The state as it was checked last, where changes are checked.
    seen: Option<P::State>,
}

/// Whose code is being run: a panic is theirs.
#[derive(Clone, Copy)]
enum Doing<'m> {
    Process,
    Function,
    Invariant(&'m str),
}

/// A run in which something did not hold.
pub(super) struct Broken<P: Process> {
    pub(super) problem: Problem,
    pub(super) run: u64,
    pub(super) step: u64,
    pub(super) task: Option<P::Task>,
    pub(super) state: Option<String>,
    pub(super) told: VecDeque<Told>,
    answers: u64,
}

/// How many of the last answers are told.
const MAX_TOLD: usize = 8;
/// Most answers that a run may take, whatever it makes of them.
const MAX_ANSWERS: u64 = 200_000;
/// Most answers of a person that are refused one after the other.
const MAX_REFUSED: u64 = 200;
/// In how many cases of a hundred the monkey polls twice, and gives an answer twice.
const TWICE: u64 = 5;
/// In how many cases of a hundred a run goes on from a snapshot.
const SNAPSHOTS: u64 = 1;

impl<'m, P: Process> OneRun<'m, P> {
    pub(super) fn new(settings: &'m Settings<P>, hands: &'m mut Hands, run: u64) -> Self {
        let [replies, hand, probes] =
            [1, 2, 3].map(|stream| Random::seed_of(settings.seed, run, stream));
        hands.reseed(replies, hand);
        Self {
            settings,
            hands,
            machine: Machine::with_options(settings.options.clone()),
            run,
            probes: Random::seeded(probes),
            told: VecDeque::with_capacity(MAX_TOLD),
            answers: 0,
            refused: 0,
            calls: 0,
            doing: Doing::Process,
            task: None,
            seen: None,
        }
    }

    /// Goes to the end, and adds to the report what was done.
    pub(super) fn go(mut self, report: &mut MonkeyReport<P>) -> Result<(), Box<Broken<P>>> {
        // What breaks in a panic is the machine, which is only looked at from then on.
        let ended = catch_unwind(AssertUnwindSafe(|| self.drive(report)));
        let ended = ended.unwrap_or_else(|payload| Err(self.panicked(&*payload)));
        report.add_run(self.machine.steps(), self.calls, self.answers);
        match ended {
            Ok(ending) => {
                report.add_ending(&ending);
                Ok(())
            }
            Err(problem) => Err(self.broken(problem)),
        }
    }

    fn drive(&mut self, report: &MonkeyReport<P>) -> Result<Ending<P::Task>, Problem> {
        self.start()?;
        loop {
            let directives = self.machine.poll().directives().to_vec();
            self.count(report);
            // What a process within leaves behind is committed while the machine is polled.
            if has_processes::<P>() {
                self.check()?;
            }
            self.task = self.machine.task();
            self.look_twice(&directives)?;
            let Some(answer) = self.answer(&directives)? else {
                return self.end();
            };
            self.take(answer)?;
            self.count(report);
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

    fn count(&mut self, report: &MonkeyReport<P>) {
        report.coverage().record_all(self.machine.drain_events());
    }

    fn answer(&mut self, directives: &[Directive<P::Task>]) -> Result<Option<Answer>, Problem> {
        match directives.first().map(|first| &first.action) {
            Some(Action::RunFunction(_)) => self.doing = Doing::Function,
            Some(Action::CallModel(_)) => self.calls += 1,
            _ => {}
        }
        let answer = self.hands.answer(self.settings, directives);
        self.doing = Doing::Process;
        answer
    }

    fn take(&mut self, answer: Answer) -> Result<(), Problem> {
        let Answer { event, told } = answer;
        if self.told.len() == MAX_TOLD {
            self.told.pop_front();
        }
        self.told.push_back(told);
        self.answers += 1;
        let again = self.probes.percent(TWICE).then(|| event.clone());
        let is_of_person = matches!(event, Event::Answered { .. });
        match self.machine.handle(event) {
            EventOutcome::Applied => self.refused = 0,
            EventOutcome::Refused(_) if is_of_person => self.refused += 1,
            other => return Err(Problem::NotTaken(other)),
        }
        self.check()?;
        match again.map(|event| self.machine.handle(event)) {
            None | Some(EventOutcome::Stale | EventOutcome::NotRunning) => Ok(()),
            Some(other) => Err(Problem::TakenTwice(other)),
        }
    }

    fn look_twice(&mut self, directives: &[Directive<P::Task>]) -> Result<(), Problem> {
        let outcome = self.machine.outcome();
        if self.probes.percent(TWICE) {
            probe::same(directives, self.machine.poll().directives()).map_err(Problem::Poll)?;
            probe::equal("the outcome", &outcome, &self.machine.outcome())
                .map_err(Problem::Poll)?;
        }
        if self.settings.takes_snapshots && self.probes.percent(SNAPSHOTS) {
            self.machine = probe::resumed(&self.machine).map_err(Problem::Snapshot)?;
            self.prepare();
            probe::same(directives, self.machine.poll().directives()).map_err(Problem::Resumed)?;
            probe::equal("the outcome", &outcome, &self.machine.outcome())
                .map_err(Problem::Resumed)?;
            // Not before: what led here has been told already.
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
        if self.answers > MAX_ANSWERS || self.refused > MAX_REFUSED {
            return Err(Problem::Endless(self.answers));
        }
        Ok(())
    }
}

/// Invariants.
impl<'m, P: Process> OneRun<'m, P> {
    /// Checks what has to hold at all times.
    fn check(&mut self) -> Result<(), Problem> {
        let (settings, ended) = (self.settings, !self.machine.is_running());
        let invariants = &settings.invariants;
        if invariants.between_tasks_only && !ended && !self.machine.at_task_boundary() {
            return Ok(());
        }
        for (name, holds) in invariants.of_machine.iter() {
            self.hold(name, |machine| holds(machine))?;
        }
        for (name, holds) in invariants.of_state.iter() {
            self.hold(name, |machine| machine.state().map_or(Ok(()), holds))?;
        }
        if invariants.of_steps.is_empty() {
            return Ok(());
        }
        if let Some(old) = self.seen.take() {
            for (name, holds) in invariants.of_steps.iter() {
                self.hold(name, |machine| machine.state().map_or(Ok(()), |new| holds(&old, new)))?;
            }
        }
        self.seen = self.machine.state().cloned();
        Ok(())
    }

    /// Checks what has to hold at the end.
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
            self.hold(name, |machine| {
                machine.state().map_or(Ok(()), |state| holds(&outcome, state))
            })?;
        }
        Ok(ending)
    }

    fn hold(
        &mut self,
        name: &'m str,
        holds: impl FnOnce(&Machine<P>) -> Held,
    ) -> Result<(), Problem> {
        let before = std::mem::replace(&mut self.doing, Doing::Invariant(name));
        let held = holds(&self.machine);
        self.doing = before;
        held.map_err(|why| Problem::Invariant { name: name.to_owned(), why })
    }

    fn panicked(&self, payload: &(dyn Any + Send)) -> Problem {
        let said = said(payload);
        match self.doing {
            Doing::Process => Problem::Panicked(said),
            Doing::Function => Problem::FunctionPanicked(said),
            Doing::Invariant(name) => Problem::Invariant { name: name.to_owned(), why: Some(said) },
        }
    }

    fn broken(self, problem: Problem) -> Box<Broken<P>> {
        let state = self.machine.state().and_then(|state| serde_json::to_string(state).ok());
        // After an answer the machine stands at the next task already.
        let known = if problem.is_panic() { None } else { self.task };
        Box::new(Broken {
            problem,
            run: self.run,
            step: self.machine.steps(),
            task: known.or_else(|| self.machine.task()),
            state,
            told: self.told,
            answers: self.answers,
        })
    }
}

impl<P: Process> Broken<P> {
    pub(super) const fn is_shorter_than(&self, other: &Self) -> bool {
        self.answers < other.answers
    }
}

/// Whether tasks run other processes.
fn has_processes<P: Process>() -> bool {
    P::CODE.tasks.iter().any(|task| matches!(task.work, TaskFunction::Process(_)))
}

/// The panic that halted a run, or a process within it.
fn panic_of(reason: &HaltReason) -> Option<&Panic> {
    match reason {
        HaltReason::Panicked(panic) => Some(panic),
        HaltReason::ProcessFailed(nested) => nested.reason.as_ref().and_then(panic_of),
        _ => None,
    }
}

/// How much of what a panic says is told.
const MAX_SAID_BYTES: usize = 500;

/// What a panic says.
fn said(payload: &(dyn Any + Send)) -> String {
    truncate(panic_message(payload).unwrap_or("a value that is no text"), MAX_SAID_BYTES).to_owned()
}
