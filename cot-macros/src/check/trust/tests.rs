//! Compares what is found with all runs of random processes whose models obey each sentence that they are shown.

use std::collections::BTreeSet;

use cot_syntax::diagnostics::Errors;

use crate::{check::random::Random, model};

/// The first field is untrusted.
const FIELDS: usize = 3;
const TASKS: usize = 5;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Ai,
    Checked,
    Function,
    Reader,
    Person,
}

/// A random task: what it is shown, what it writes and where it leads.
struct RandomTask {
    kind: Kind,
    shown: Option<usize>,
    /// The field that it writes, and the one that it copies in place of its output; no text, if there is no such field.
    write: Option<(usize, Option<usize>)>,
    next: usize,
    /// The field that a guard reads, and where it leads.
    guard: Option<(usize, usize)>,
    transition: Option<usize>,
    /// Where it leads if no reply is accepted.
    on: Option<usize>,
    /// Whether its model can call a tool with an effect, and one whose results are untrusted.
    acts: bool,
    looks: bool,
}

impl RandomTask {
    fn new(index: usize, random: &mut Random) -> Self {
        let kinds = [Kind::Ai, Kind::Ai, Kind::Checked, Kind::Function, Kind::Reader, Kind::Person];
        let kind = kinds[random.below(kinds.len())];
        let asks = matches!(kind, Kind::Ai | Kind::Checked);
        let mut some =
            |chance: usize, bound| (random.below(chance) == 0).then(|| random.below(bound));
        let shown = some(2, FIELDS).filter(|_| asks);
        let copied = some(3, FIELDS + 1);
        let write = some(2, FIELDS).map(|field| (field, copied));
        let transition = some(3, TASKS).filter(|to| asks && *to != index);
        let on = some(4, TASKS).filter(|to| asks && *to != index);
        let [acts, looks] = [some(5, 1), some(6, 1)].map(|used| used.is_some() && asks);
        let guard = some(4, FIELDS).zip(some(1, TASKS + 1));
        let next = random.below(TASKS + 1);
        Self { kind, shown, write, next, guard, transition, on, acts, looks }
    }

    fn source(&self, index: usize) -> String {
        let name = |task: usize| match task {
            TASKS => "done".to_owned(),
            task => format!("t{task}"),
        };
        let shown = self.shown.map(|field| format!("${{quoted(state.f{field})}}"));
        let items = match self.kind {
            Kind::Ai => format!("prompt: \"Do {}\"", shown.unwrap_or_default()),
            Kind::Checked => {
                let clears = if self.shown.is_some() { ", clears: untrusted" } else { "" };
                format!("prompt: \"Do {}\", check: check{clears}", shown.unwrap_or_default())
            }
            Kind::Function => "run: run".to_owned(),
            Kind::Reader => "run: run, effect: none".to_owned(),
            Kind::Person => "ask: \"What?\"".to_owned(),
        };
        let update = self.write.map(|(field, copied)| match copied {
            Some(FIELDS) => format!(", update: {{ f{field} = String::new() }}"),
            Some(copied) => format!(", update: {{ f{field} = state.f{copied}.clone() }}"),
            None => format!(", update: {{ f{field} = output.text }}"),
        });
        let transition = self.transition.map(|to| format!(", transitions: {{ {} }}", name(to)));
        let on = self.on.map(|to| format!(", on: {{ exhausted => {} }}", name(to)));
        let tools = match (self.acts, self.looks) {
            (false, false) => None,
            (acts, looks) => {
                let (act, look) = (if acts { "act," } else { "" }, if looks { "look" } else { "" });
                Some(format!(", tools: [{act}{look}]"))
            }
        };
        let next = match self.guard {
            Some((field, to)) => {
                format!("{{ {} if state.f{field}.is_empty(), {} }}", name(to), name(self.next))
            }
            None => name(self.next),
        };
        let items = [Some(items), update, transition, on, tools].into_iter().flatten();
        let items = items.collect::<String>();
        format!("task t{index} -> Text {{ {items}, next: {next} }}\n")
    }
}

impl RandomTask {
    fn is_shown(&self, fields: [Content; FIELDS]) -> bool {
        self.looks || self.shown.is_some_and(|field| fields[field] != Content::Clean)
    }
}

/// What a field holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Content {
    Clean,
    /// The sentence, as it came from outside.
    Raw,
    /// What a task made of the sentence.
    Written,
}

/// A position of a run: the task, the fields, and whether the sentence has led to it.
type Position = (usize, [Content; FIELDS], bool);

/// Returns the tasks that something leads to.
fn reached(tasks: &[RandomTask]) -> BTreeSet<usize> {
    let (mut open, mut found) = (vec![0], BTreeSet::new());
    while let Some(at) = open.pop() {
        let Some(task) = tasks.get(at).filter(|_| found.insert(at)) else { continue };
        let guarded = task.guard.map(|(_, to)| to);
        open.extend([Some(task.next), guarded, task.transition, task.on].into_iter().flatten());
    }
    found
}

/// Returns the functions and the tools that the sentence reaches in some run, of all runs.
fn attacked(tasks: &[RandomTask]) -> BTreeSet<String> {
    let mut start = [Content::Clean; FIELDS];
    start[0] = Content::Raw;
    let mut open: Vec<Position> = vec![(0, start, false)];
    let mut seen: BTreeSet<Position> = open.iter().copied().collect();
    let mut found = BTreeSet::new();
    while let Some((at, fields, is_led)) = open.pop() {
        let Some(task) = tasks.get(at) else { continue };
        if task.kind == Kind::Function && (is_led || fields.contains(&Content::Written)) {
            found.insert(format!("function of t{at}"));
        }
        if task.acts && (is_led || task.is_shown(fields)) {
            found.insert(format!("tool of t{at}"));
        }
        for next in followed(task, fields, is_led) {
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

fn followed(task: &RandomTask, fields: [Content; FIELDS], is_led: bool) -> Vec<Position> {
    let holds = |field: usize| fields[field] != Content::Clean;
    let is_shown = task.is_shown(fields);
    let output = match task.kind {
        Kind::Ai => is_shown,
        Kind::Function | Kind::Reader => (0..FIELDS).any(holds),
        // A check clears what is in its prompt, not what a tool returns.
        Kind::Checked => is_shown && task.shown.is_none(),
        Kind::Person => false,
    };
    let mut written = fields;
    if let Some((field, copied)) = task.write {
        let has_sentence = copied.map_or(output, |copied| copied < FIELDS && holds(copied));
        written[field] = if has_sentence { Content::Written } else { Content::Clean };
    }
    let vouches = task.kind == Kind::Person || task.kind == Kind::Checked && task.shown.is_some();
    let is_led_on = is_led && !vouches;
    // The guard reads the fields after the update. What the program decides on the mail itself is its decision.
    let decides = task.guard.is_some_and(|(field, _)| written[field] == Content::Written);
    let moved = (task.next, written, is_led_on || decides);
    let guarded = task.guard.map(|(_, to)| (to, written, is_led_on || decides));
    let others = [task.transition, task.on].into_iter().flatten();
    let others = others.map(|to| (to, fields, is_led || is_shown));
    others.chain(guarded).chain([moved]).collect()
}

#[test]
fn a_sentence_reaches_only_what_is_found() {
    let mut random = Random::new();
    let (mut attacks, mut reported) = (0, 0);
    for _ in 0..2000 {
        let mut tasks: Vec<_> =
            (0..TASKS).map(|index| RandomTask::new(index, &mut random)).collect();
        // Another rule refuses a process with a task that nothing leads to.
        let reached = reached(&tasks);
        tasks.iter_mut().enumerate().for_each(|(at, task)| task.looks &= reached.contains(&at));
        let sources = tasks.iter().enumerate().map(|(index, task)| task.source(index));
        let sources = sources.collect::<String>();
        let source = format!(
            "process P {{ state: {{ untrusted input f0: String, f1: String = x(), f2: String = x() }},
            tools: {{ act: act \"Acts\", look: look \"Looks\" {{ effect: none, untrusted }} }},
            history: none, {sources} task done {{ end }} }}"
        );
        let errors = Errors::new();
        let syntax = cot_syntax::parse(source.parse().unwrap(), &errors).unwrap();
        let model = model::build(&syntax, &errors);
        assert!(errors.is_empty(), "{:?}", errors.messages());
        let findings = super::findings(&model).into_iter();
        let found: BTreeSet<_> = findings
            .filter_map(|it| {
                let task = model.tasks[it.task?].name();
                let word = it.name.strip_prefix("untrusted_reaches_")?;
                Some(format!("{word} of {task}"))
            })
            .collect();
        let attacked = attacked(&tasks);
        let missed: Vec<_> = attacked.difference(&found).collect();
        assert!(missed.is_empty(), "{missed:?} of {source}");
        attacks += attacked.len();
        reported += found.len();
    }
    // What is reported without an attack comes of facts that never hold together.
    assert!(attacks > 200 && reported * 8 <= attacks * 9, "{attacks} of {reported}");
}
