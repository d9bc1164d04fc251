//! Interpretation of a reply as a transition or an output, and the issues of an invalid transition.

use cot_model::ToolCall;
use cot_reader::Reasoning;
use cot_schema::{
    Issue, Issues,
    internal::{BorrowedJson, UntypedOutput, closest_name, truncate},
};
use serde_json::{Map, Value};

use crate::process::tables::{TaskDefinition, TaskIndex, TransitionDefinition};

/// The transitions and the output that a task offers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Menu<'a> {
    pub(crate) tasks: &'static [TaskDefinition],
    /// The targets of the task's transitions.
    pub(crate) transitions: &'static [TransitionDefinition],
    /// The indexes of the visible transitions.
    pub(crate) visible: &'a [usize],
    pub(crate) has_output: bool,
}

/// The meaning of a reply.
#[derive(Debug)]
pub(crate) enum Interpretation<'t> {
    Transition(Transition),
    Output(UntypedOutput<'t>),
    /// The model calls tools first.
    Calls(Vec<ToolCall>),
}

/// A valid choice of a transition.
#[derive(Debug)]
pub(crate) struct Transition {
    /// The index of the transition.
    pub(crate) index: usize,
    pub(crate) go_to: TaskIndex,
    pub(crate) intent: String,
    pub(crate) step_after: String,
    /// The inputs that the model provides, not yet validated.
    pub(crate) inputs: Option<Value>,
}

/// Interprets a value as a transition or an output. Returns all issues of an invalid transition.
pub(crate) fn interpret(value: Value, menu: &Menu<'_>) -> Result<Interpretation<'static>, Issues> {
    match value {
        Value::Object(members) if is_transition(&members) => {
            menu.transition(members).map(Interpretation::Transition)
        }
        value if menu.has_output => Ok(Interpretation::Output(UntypedOutput::Value(value))),
        value => Err(Issue::new("$", menu.choice_expected()).value(&value).into()),
    }
}

/// Parses a reply of numbered reasoning.
pub(crate) fn interpret_reasoning(text: &str) -> Result<Interpretation<'static>, Issues> {
    let reasoning = Reasoning::parse(text);
    if reasoning == Reasoning::default() {
        return Err(Issues::at("$", NO_REASONING));
    }
    let value = serde_json::to_value(reasoning);
    value
        .map(|value| Interpretation::Output(UntypedOutput::Value(value)))
        .map_err(|error| Issues::at("$", error.to_string()))
}

/// The issue of a reply without steps and conclusion.
const NO_REASONING: &str = "there are no steps in it, and no conclusion: begin each step on a line of \
     its own with \"Step 1:\", \"Step 2:\", and so on, and end with a line that begins with \
     \"Conclusion:\"";

/// Maximum length of `intent` and `stepAfter`.
const MAX_WORDS_BYTES: usize = 4000;
/// Maximum number of names in an issue.
const MAX_NAMES: usize = 30;
/// Maximum length of a name in an issue.
const MAX_NAME_BYTES: usize = 100;

/// Returns whether an object is a transition, valid or not.
pub(crate) fn is_transition(members: &Map<String, Value>) -> bool {
    members.keys().any(|key| Menu::TRANSITION_KEYS.contains(&key.as_str()))
}

impl Menu<'_> {
    pub(crate) const GO_TO: &'static str = "goTo";
    pub(crate) const INTENT: &'static str = "intent";
    pub(crate) const STEP_AFTER: &'static str = "stepAfter";
    pub(crate) const INPUTS: &'static str = "inputs";
    /// The keys that distinguish a transition from an output.
    pub(crate) const TRANSITION_KEYS: [&'static str; 3] =
        [Self::GO_TO, Self::INTENT, Self::STEP_AFTER];
    /// All keys of a transition.
    pub(crate) const ALL_KEYS: [&'static str; 4] =
        [Self::GO_TO, Self::INTENT, Self::STEP_AFTER, Self::INPUTS];

    /// Returns the only visible target that is the same as a name according to `is_same`.
    pub(crate) fn similar_target(
        &self,
        name: &str,
        is_same: impl Fn(&str, &str) -> bool,
    ) -> Option<&'static str> {
        if self.tasks.iter().any(|task| task.about.name == name) {
            return None;
        }
        let mut similar = self.visible_names().filter(|target| is_same(target, name));
        let found = similar.next();
        found.filter(|_| similar.next().is_none())
    }

    /// Returns the transition if the object is valid as it is. `None` also for a target with inputs, which
    /// needs further validation.
    pub(crate) fn plain(&self, value: &BorrowedJson<'_>) -> Option<Transition> {
        let BorrowedJson::Object(members) = value else { return None };
        let text = |key| match value.member(key) {
            Some(BorrowedJson::Text(text)) if text.len() <= MAX_WORDS_BYTES => Some(&**text),
            _ => None,
        };
        let (index, go_to) = self.visible_target(text(Self::GO_TO)?)?;
        let (intent, step_after) = (text(Self::INTENT)?, text(Self::STEP_AFTER)?);
        if members.len() > Self::TRANSITION_KEYS.len() || self.transitions.get(index)?.with_model {
            return None;
        }
        let (intent, step_after) = (intent.to_owned(), step_after.to_owned());
        Some(Transition { index, go_to, intent, step_after, inputs: None })
    }

    fn transition(&self, mut members: Map<String, Value>) -> Result<Transition, Issues> {
        if self.visible.is_empty() {
            return Err(self.no_transition_issues(&members));
        }
        let mut issues = Issues::new();
        let go_to = self.go_to(members.remove(Self::GO_TO), &mut issues);
        let intent = text(members.remove(Self::INTENT), Self::INTENT, &mut issues);
        let step_after = text(members.remove(Self::STEP_AFTER), Self::STEP_AFTER, &mut issues);
        let inputs = self.inputs(go_to, &mut members, &mut issues);
        self.reject_extra_keys(&members, &mut issues);
        match (go_to, intent, step_after) {
            (Some((index, go_to)), Some(intent), Some(step_after)) if issues.is_empty() => {
                Ok(Transition { index, go_to, intent, step_after, inputs })
            }
            _ => Err(issues),
        }
    }

    /// Takes the inputs that the model provides for the target, or reports that they are missing. Those for a target
    /// that takes none are ignored: small models fill in each member of the type that they are shown.
    fn inputs(
        &self,
        go_to: Option<(usize, TaskIndex)>,
        members: &mut Map<String, Value>,
        issues: &mut Issues,
    ) -> Option<Value> {
        let inputs = members.remove(Self::INPUTS);
        let (index, target) = go_to?;
        if !self.transitions.get(index)?.with_model {
            return None;
        }
        if inputs.is_none() {
            let name = self.name(target).unwrap_or_default();
            issues.push(Self::INPUTS, format!("is missing: add it, with what {name:?} takes"));
        }
        inputs
    }

    fn go_to(&self, value: Option<Value>, issues: &mut Issues) -> Option<(usize, TaskIndex)> {
        let available = || self.list_names(self.visible_names());
        let issue = match value {
            None => Issue::new(Self::GO_TO, format!("is missing: give {}", available())),
            Some(Value::String(name)) => match self.visible_target(&name) {
                Some(target) => return Some(target),
                None => Issue::new(Self::GO_TO, self.wrong_target_message(&name))
                    .value(&Value::String(name)),
            },
            Some(other) => {
                let message = format!("must be the name of a task: give {}", available());
                Issue::new(Self::GO_TO, message).value(&other)
            }
        };
        issues.extend([issue]);
        None
    }

    fn wrong_target_message(&self, name: &str) -> String {
        let shown = truncate(name, MAX_NAME_BYTES);
        let available = self.list_names(self.visible_names());
        if let Some(close) = self.closest(name) {
            return format!("there is no {shown:?}; did you mean {close:?}? Give {available}");
        }
        let what = if self.is_hidden(name) {
            "is not available now"
        } else if self.tasks.iter().any(|task| task.about.name == name) {
            "can't be reached from here"
        } else {
            "is not one of the choices"
        };
        format!("{shown:?} {what}: give {available}")
    }

    /// Returns the visible target that is most similar to a misspelled name.
    fn closest(&self, name: &str) -> Option<&'static str> {
        if self.tasks.iter().any(|task| task.about.name == name) {
            return None;
        }
        closest_name(name, self.visible_names())
    }

    fn no_transition_issues(&self, members: &Map<String, Value>) -> Issues {
        let path =
            Self::TRANSITION_KEYS.into_iter().find(|key| members.contains_key(*key)).unwrap_or("$");
        let message = match (self.has_output, self.transitions.is_empty()) {
            (true, true) => "this task has no transitions: reply with its output",
            (true, false) => "no transition is available now: reply with the output",
            (false, _) => "no transition is available now",
        };
        let issue = Issue::new(path, message);
        match members.get(path) {
            Some(value) => issue.value(value).into(),
            None => issue.into(),
        }
    }

    fn reject_extra_keys(&self, members: &Map<String, Value>, issues: &mut Issues) {
        if members.is_empty() {
            return;
        }
        let keys = self.list_names(members.keys().map(String::as_str));
        let rule = format!("a transition has {}, and nothing else", self.members());
        let message = if self.has_output {
            format!("{rule}; here is also {keys}: reply with either a transition or an output")
        } else {
            format!("{rule}; here is also {keys}")
        };
        issues.push("$", message);
    }

    fn choice_expected(&self) -> String {
        if self.visible.is_empty() {
            return "this task expects nothing that could be replied".to_owned();
        }
        let available = self.list_names(self.visible_names());
        format!(
            r#"choose where to go: reply with an object of {}, where "goTo" is {available}"#,
            self.members()
        )
    }

    /// Returns the members of a choice, as issues name them.
    fn members(&self) -> &'static str {
        let mut visible = self.visible.iter().filter_map(|index| self.transitions.get(*index));
        match visible.any(|transition| transition.with_model) {
            true => r#""goTo", "inputs" (if the task takes them), "intent" and "stepAfter""#,
            false => r#""goTo", "intent" and "stepAfter""#,
        }
    }

    fn visible_target(&self, name: &str) -> Option<(usize, TaskIndex)> {
        self.visible_targets().find(|(_, target)| self.name(*target) == Some(name))
    }

    fn visible_targets(&self) -> impl Iterator<Item = (usize, TaskIndex)> + '_ {
        self.visible.iter().filter_map(|index| Some((*index, self.transitions.get(*index)?.target)))
    }

    fn visible_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.visible_targets().filter_map(|(_, target)| self.name(target))
    }

    fn is_hidden(&self, name: &str) -> bool {
        self.transitions.iter().any(|transition| self.name(transition.target) == Some(name))
    }

    fn name(&self, task: TaskIndex) -> Option<&'static str> {
        self.tasks.get(task).map(|task| task.about.name)
    }

    /// Formats names as `"a"` or `one of "a", "b"`.
    fn list_names<'s>(&self, names: impl Iterator<Item = &'s str>) -> String {
        let mut quoted: Vec<String> = names
            .take(MAX_NAMES + 1)
            .map(|name| format!("{:?}", truncate(name, MAX_NAME_BYTES)))
            .collect();
        if quoted.len() > MAX_NAMES {
            quoted.truncate(MAX_NAMES);
            quoted.push("…".to_owned());
        }
        match quoted.as_slice() {
            [only] => only.clone(),
            several => format!("one of {}", several.join(", ")),
        }
    }
}

fn text(value: Option<Value>, key: &str, issues: &mut Issues) -> Option<String> {
    let issue = match value {
        // The text is added to the history and thus to every later prompt.
        Some(Value::String(text)) if text.len() > MAX_WORDS_BYTES => {
            Issue::new(key, format!("is too long: {} bytes, at most {MAX_WORDS_BYTES}", text.len()))
                .value(&Value::String(text))
        }
        Some(Value::String(text)) => return Some(text),
        Some(other) => Issue::new(key, "must be a string").value(&other),
        None => Issue::new(key, "is missing: it is required, as a string"),
    };
    issues.extend([issue]);
    None
}
