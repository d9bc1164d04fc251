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
    /// The field that it writes, and the one that it copies in place of its output.
    write: Option<(usize, Option<usize>)>,
    next: usize,
    transition: Option<usize>,
}

impl RandomTask {
    fn new(index: usize, random: &mut Random) -> Self {
        let kinds = [Kind::Ai, Kind::Ai, Kind::Checked, Kind::Function, Kind::Reader, Kind::Person];
        let kind = kinds[random.below(kinds.len())];
        let asks = matches!(kind, Kind::Ai | Kind::Checked);
        let mut some =
            |chance: usize, bound| (random.below(chance) == 0).then(|| random.below(bound));
        let shown = some(2, FIELDS).filter(|_| asks);
        let copied = some(3, FIELDS);
        let write = some(2, FIELDS).map(|field| (field, copied));
        let transition = some(3, TASKS).filter(|to| asks && *to != index);
        Self { kind, shown, write, next: random.below(TASKS + 1), transition }
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
            Some(copied) => format!(", update: {{ f{field} = state.f{copied}.clone() }}"),
            None => format!(", update: {{ f{field} = output.text }}"),
        });
        let transition = self.transition.map(|to| format!(", transitions: {{ {} }}", name(to)));
        let (update, transition) = (update.unwrap_or_default(), transition.unwrap_or_default());
        let next = name(self.next);
        format!("task t{index} -> Text {{ {items}{update}{transition}, next: {next} }}\n")
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

/// Returns the functions that the sentence reaches in some run, of all runs.
fn attacked(tasks: &[RandomTask]) -> BTreeSet<String> {
    let mut start = [Content::Clean; FIELDS];
    start[0] = Content::Raw;
    let mut open: Vec<Position> = vec![(0, start, false)];
    let mut seen: BTreeSet<Position> = open.iter().copied().collect();
    let mut found = BTreeSet::new();
    while let Some((at, fields, is_led)) = open.pop() {
        let Some(task) = tasks.get(at) else { continue };
        if task.kind == Kind::Function && (is_led || fields.contains(&Content::Written)) {
            found.insert(format!("t{at}"));
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
    let is_shown = task.shown.is_some_and(holds);
    let output = match task.kind {
        Kind::Ai => is_shown,
        Kind::Function | Kind::Reader => (0..FIELDS).any(holds),
        Kind::Checked | Kind::Person => false,
    };
    let mut written = fields;
    if let Some((field, copied)) = task.write {
        let has_sentence = copied.map_or(output, holds);
        written[field] = if has_sentence { Content::Written } else { Content::Clean };
    }
    let vouches = task.kind == Kind::Person || task.kind == Kind::Checked && task.shown.is_some();
    let moved = (task.next, written, is_led && !vouches);
    let chosen = task.transition.map(|to| (to, fields, is_led || is_shown));
    [Some(moved), chosen].into_iter().flatten().collect()
}

#[test]
fn a_sentence_reaches_only_what_is_found() {
    let mut random = Random::new();
    let (mut attacks, mut reported) = (0, 0);
    for _ in 0..2000 {
        let tasks: Vec<_> = (0..TASKS).map(|index| RandomTask::new(index, &mut random)).collect();
        let sources = tasks.iter().enumerate().map(|(index, task)| task.source(index));
        let sources = sources.collect::<String>();
        let source = format!(
            "process P {{ state: {{ untrusted input f0: String, f1: String = x(), f2: String = x() }},
            history: none, {sources} task done {{ end }} }}"
        );
        let errors = Errors::new();
        let syntax = cot_syntax::parse(source.parse().unwrap(), &errors).unwrap();
        let model = model::build(&syntax, &errors);
        assert!(errors.is_empty(), "{:?}", errors.messages());
        let findings = super::findings(&model).into_iter();
        let functions = findings.filter(|it| it.name == "untrusted_reaches_function");
        let found: BTreeSet<_> =
            functions.filter_map(|it| Some(model.tasks[it.task?].name().to_string())).collect();
        let attacked = attacked(&tasks);
        let missed: Vec<_> = attacked.difference(&found).collect();
        assert!(missed.is_empty(), "{missed:?} of {source}");
        attacks += attacked.len();
        reported += found.len();
    }
    // What is reported without an attack comes of facts that never hold together.
    assert!(attacks > 200 && reported * 8 <= attacks * 9, "{attacks} of {reported}");
}
