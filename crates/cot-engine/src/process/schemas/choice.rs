//! How a model chooses a task: the schemas of a choice, and the type that prompts show.

use cot_schema::{OutputSchema, internal::notation};
use serde_json::{Map, Value, json};

use super::definitions::Definitions;
use crate::{process::scope::About, prompt::primers, reply::menu::Menu};

/// A task that a model may choose.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChoiceTarget {
    pub about: &'static About,
    /// The schema of the inputs that the model provides.
    pub inputs: Option<&'static OutputSchema>,
}

/// What the type of a choice says of its members.
#[derive(Debug)]
pub(crate) struct ChoiceTexts {
    pub(crate) go_to: String,
    /// For each target that takes inputs.
    pub(crate) inputs: Vec<String>,
    pub(crate) no_inputs: String,
    pub(crate) intent: String,
    pub(crate) step_after: String,
}

impl ChoiceTexts {
    /// Returns the default texts.
    pub(crate) fn new(targets: &[ChoiceTarget]) -> Self {
        let takers = targets.iter().filter(|target| target.inputs.is_some());
        Self {
            go_to: primers::GO_TO.to_owned(),
            inputs: takers.map(|target| primers::inputs(target.about.name).concat()).collect(),
            no_inputs: primers::NO_INPUTS.to_owned(),
            intent: primers::INTENT.to_owned(),
            step_after: primers::STEP_AFTER.to_owned(),
        }
    }
}

/// Returns one schema for all targets without inputs, and one for each of the others.
pub(super) fn choices<'s>(
    targets: &[ChoiceTarget],
    definitions: &mut Definitions<'s>,
) -> Vec<Value> {
    let plain = targets.iter().filter(|target| target.inputs.is_none());
    let plain: Vec<_> = plain.map(|target| target.about.name).collect();
    let mut choices = Vec::new();
    let texts = [primers::GO_TO, primers::INTENT, primers::STEP_AFTER];
    let mut choice = |names: &[&str], inputs| {
        let mut schema = object(texts, inputs);
        schema["properties"][Menu::GO_TO]["enum"] = json!(names);
        choices.push(schema);
    };
    if !plain.is_empty() {
        choice(&plain, None);
    }
    for ChoiceTarget { about, inputs } in targets {
        if let Some(inputs) = inputs {
            choice(&[about.name], Some(definitions.embed(inputs, about.name)));
        }
    }
    choices
}

/// Writes the choice among targets as one type with these comments. Small models follow one type, and not one for
/// each target.
pub(crate) fn choice_notation(targets: &[ChoiceTarget], texts: &ChoiceTexts) -> String {
    let mut definitions = Definitions::default();
    let ChoiceTexts { go_to, intent, step_after, .. } = texts;
    let inputs = inputs_of_all(targets, texts, &mut definitions);
    let mut schema = object([go_to, intent, step_after], inputs);
    schema["$defs"] = Value::Object(definitions.into_map());
    notation(&schema)
}

/// Returns the schema of the inputs of all targets. `None` if none takes inputs.
fn inputs_of_all(
    targets: &[ChoiceTarget],
    texts: &ChoiceTexts,
    definitions: &mut Definitions<'static>,
) -> Option<Value> {
    // Targets with inputs of one type share it.
    let mut types: Vec<(Value, String)> = Vec::new();
    let takers = targets.iter().filter_map(|target| Some((target.about.name, target.inputs?)));
    for ((name, inputs), text) in takers.zip(&texts.inputs) {
        let schema = definitions.embed(inputs, name);
        match types.iter_mut().find(|(known, _)| *known == schema) {
            Some((_, texts)) => *texts = format!("{texts} {text}"),
            None => types.push((schema, text.clone())),
        }
    }
    let null = targets.iter().any(|target| target.inputs.is_none());
    if let Some((_, text)) = types.last_mut().filter(|_| null) {
        *text = format!("{text} {}", texts.no_inputs);
    }
    let null = null.then(|| json!({ "type": "null" }));
    if types.len() > 1 {
        let types = types.into_iter();
        let types = types.map(|(schema, text)| json!({ "description": text, "anyOf": [schema] }));
        return Some(json!({ "anyOf": types.chain(null).collect::<Vec<_>>() }));
    }
    let (schema, text) = types.pop()?;
    let types: Vec<_> = [schema].into_iter().chain(null).collect();
    Some(json!({ "description": text, "anyOf": types }))
}

/// Returns the schema of an object with the members of a choice. `goTo` is first: small models that give the intent
/// first repeat it as the name of a task.
fn object([go_to, intent, step_after]: [&str; 3], inputs: Option<Value>) -> Value {
    let text = |about: &str| json!({ "type": "string", "description": about });
    let members = [
        (Menu::GO_TO, Some(text(go_to))),
        (Menu::INPUTS, inputs),
        (Menu::INTENT, Some(text(intent))),
        (Menu::STEP_AFTER, Some(text(step_after))),
    ];
    let members = members.into_iter().filter_map(|(key, schema)| Some((key.to_owned(), schema?)));
    let members: Map<_, _> = members.collect();
    json!({
        "type": "object",
        "required": members.keys().collect::<Vec<_>>(),
        "properties": members,
        "additionalProperties": false,
    })
}
