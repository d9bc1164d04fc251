//! Outputs: the type, its JSON schema, and validation against it.

use std::{fmt::Debug, sync::OnceLock};

use jsonschema::{Draft, Validator, json::Json};
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use crate::{
    Issues,
    reader::{AnySchema, Fit, Plain, PlainJson, Shape, Target, fit_with_digits},
};

mod checker;
mod explain;
mod given;
mod message;
mod notes;
pub(crate) mod path;
mod reserved;
mod rules;
mod wrapped;

pub use checker::Checker;
pub use given::Given;
pub(crate) use given::deserialize;
pub(crate) use reserved::ReservedKey;
pub(crate) use rules::TypeRules;
pub use rules::{FieldRule, Rules, VariantRule};

/// A type that a model can be asked for.
///
/// Derive it: `#[derive(CotOutput)]` builds on `serde` and `schemars`, so that a constraint stated
/// once is in the schema, in the validator and in the error text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the output of a task",
    label = "is not `CotOutput`",
    note = "add `#[derive(CotOutput)]` to the type, beside `Serialize`, `Deserialize` and `JsonSchema`, or put it into a struct of your own that has them"
)]
pub trait CotOutput:
    Serialize + DeserializeOwned + JsonSchema + Clone + Debug + Send + Sync + 'static
{
    /// The output while it comes in: of a struct, one with a field [`Incoming`](crate::Incoming) for each
    /// field.
    type Partial: DeserializeOwned + Clone + Debug + Send + Sync + 'static;

    /// The type's schema and validator, compiled once.
    fn output_schema() -> &'static OutputSchema;

    /// What `#[cot(…)]` says of the type and of those inside it.
    #[doc(hidden)]
    fn gather_rules(rules: &mut Rules);

    /// The checks of `#[cot(…)]`, of the type and of those inside it.
    #[doc(hidden)]
    fn run_checks(&self, checker: &mut Checker<'_>);
}

/// The JSON schema of a type, and its validator.
#[derive(Debug)]
pub struct OutputSchema {
    name: String,
    json: Value,
    reference: Value,
    definitions: Map<String, Value>,
    is_wrapped: bool,
    text: OnceLock<String>,
    /// For replies that are JSON as they stand.
    plain: Result<Validator<PlainJson>, String>,
    /// For all other values, and to say what is wrong; compiled when it is needed.
    validator: OnceLock<Result<Validator, String>>,
    compile: Compile,
    rules: Vec<TypeRules>,
    checks: Option<Checks>,
    shape: OnceLock<Shape>,
    reserved: Option<ReservedKey>,
}

/// What the rules of a type find in a value of it, beyond what is known to be wrong by the schema.
type Checks = fn(&OutputSchema, Given<'_>, &Issues) -> Issues;

/// How a validator is made of a schema.
type Compile = fn(&Value) -> Result<Validator, String>;

impl OutputSchema {
    /// The schema of a type: what `serde` accepts when it reads one.
    #[must_use]
    pub fn of<T: JsonSchema>() -> Self {
        Self::with_rules::<T>(|_| {}, None)
    }

    fn with_rules<T: JsonSchema>(gather: impl FnOnce(&mut Rules), checks: Option<Checks>) -> Self {
        let mut json = generator().into_root_schema_for::<T>().to_value();
        let mut embedded = generator();
        let mut reference = embedded.subschema_for::<T>().to_value();
        let mut definitions = embedded.take_definitions(true);
        let mut rules = Rules::new(embedded);
        gather(&mut rules);
        let checks = checks.filter(|_| rules.have_checks());
        let rules = rules.into_types();
        notes::add(&mut json, &mut definitions, &rules, definition_of(&reference));
        let is_wrapped = !wrapped::is_object(&json, &definitions);
        if is_wrapped {
            reference = wrapped::wrap(&reference);
            json = wrapped::with_definitions(&reference, &definitions);
        }
        let reserved = reserved::find(&json, &definitions);
        Self {
            name: identifier(&T::schema_name()),
            reference,
            definitions,
            is_wrapped,
            text: OnceLock::new(),
            plain: compile(&json),
            validator: OnceLock::new(),
            compile,
            reserved,
            json,
            rules,
            checks,
            shape: OnceLock::new(),
        }
    }

    /// A schema that was given as JSON, of an object and of any draft.
    pub(crate) fn from_json(name: &str, json: Value) -> Self {
        let mut reference = json.clone();
        let definitions =
            reference.as_object_mut().and_then(|members| members.shift_remove("$defs"));
        let definitions = match definitions {
            Some(Value::Object(definitions)) => definitions,
            _ => Map::new(),
        };
        Self {
            name: identifier(name),
            reference,
            definitions,
            is_wrapped: false,
            text: OnceLock::new(),
            plain: compile_any(&json),
            validator: OnceLock::new(),
            compile: compile_any,
            // What a conversation asks for has no transitions beside it.
            reserved: None,
            json,
            rules: Vec::new(),
            checks: None,
            shape: OnceLock::new(),
        }
    }

    /// The schema of an output. What the derive calls: its bound holds wherever the derive stands,
    /// so that a missing `JsonSchema` is reported once.
    #[doc(hidden)]
    #[must_use]
    pub fn of_output<T: CotOutput>() -> Self {
        Self::with_rules::<T>(|rules| T::gather_rules(rules), Some(checks_in::<T>))
    }

    /// The type's name, of letters, digits and `_` alone.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The schema with the type itself at the root.
    ///
    /// A reply is an object. A type that is something else, such as an enum of plain names, is
    /// wrapped into one, as its member `value`.
    #[must_use]
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// The schema for a place inside a larger one; it needs the [`definitions`](Self::definitions).
    #[must_use]
    pub fn reference(&self) -> &Value {
        &self.reference
    }

    /// What [`reference`](Self::reference) refers to, the type itself included; for `$defs`.
    #[must_use]
    pub fn definitions(&self) -> &Map<String, Value> {
        &self.definitions
    }

    /// The schema as indented text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| format!("{:#}", self.json))
    }

    /// Why the schema has no validator, if it has none.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.plain.as_ref().err().map(String::as_str)
    }

    /// Checks a value against the schema.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the value. A schema without a validator accepts nothing.
    pub fn validate(&self, value: &Value) -> Result<(), Issues> {
        match self.validator.get_or_init(|| (self.compile)(&self.json)) {
            Ok(validator) => check(&self.json, validator, value),
            Err(problem) => Err(Issues::at("$", format!("the schema is invalid: {problem}"))),
        }
    }
}

impl OutputSchema {
    /// The schema as replies are brought towards it, compiled once.
    pub(crate) fn shape(&self) -> &Shape {
        let root = definition_of(&self.reference).filter(|_| !self.is_wrapped);
        self.shape.get_or_init(|| Shape::compile(&self.json, &self.rules, root))
    }

    /// The member that a reply of the type can have, and that would make it a transition.
    pub(crate) const fn reserved(&self) -> Option<&ReservedKey> {
        self.reserved.as_ref()
    }

    /// What the rules of the type find in a reply, beyond what is wrong with it by the schema.
    pub(crate) fn broken_rules(&self, reply: &Value, known: &Issues) -> Issues {
        let Some(checks) = self.checks else {
            return Issues::new();
        };
        checks(self, Given::Value(self.unwrap(reply.clone())), known)
    }

    /// The text of the value of the type itself, out of a reply that is right as it stands. `None` where it
    /// may be wrong, or may have to be brought into form.
    pub(crate) fn take_plain<'t>(&self, json: &'t str, reply: &Plain<'_>) -> Option<&'t str> {
        let validator = self.plain.as_ref().ok()?;
        if !self.shape().takes_as_is::<PlainJson>(&reply) || !validator.is_valid(reply) {
            return None;
        }
        let json = if self.is_wrapped { wrapped::text(json)? } else { json };
        let is_right = |checks: Checks| checks(self, Given::Text(json), &Issues::new()).is_empty();
        self.checks.is_none_or(is_right).then_some(json)
    }

    /// A value of the type itself, out of what was given for it: coerced and checked.
    pub(crate) fn take(&self, given: Value) -> Result<Value, Issues> {
        let given = if given.is_object() { given } else { self.wrap(given) };
        accepted(self, self.fit(given)).map(|value| self.unwrap(value))
    }

    /// As [`take`](Self::take), of a value that stands in a reply, whose digits are kept.
    pub(crate) fn take_from_reply(&self, given: Value, reply: &str) -> Result<Value, Issues> {
        let given = if given.is_object() { given } else { self.wrap(given) };
        let (mut fit, unclear) = fit_with_digits(self, given, reply);
        fit.issues.extend(unclear);
        accepted(self, fit).map(|value| self.unwrap(value))
    }

    /// A value of the type itself, as a reply has it.
    pub(crate) fn wrap(&self, value: Value) -> Value {
        if self.is_wrapped { wrapped::value(value) } else { value }
    }

    /// The value of the type itself, out of a reply that fits the schema.
    pub(crate) fn unwrap(&self, reply: Value) -> Value {
        if self.is_wrapped { wrapped::unwrap(reply) } else { reply }
    }

    /// What has come of the value of the type itself, out of what has come of a reply, of which the last
    /// `open` values, each within the one before, are not finished.
    pub(crate) fn unwrap_partial(&self, reply: Value, open: usize) -> Option<(Value, usize)> {
        if self.is_wrapped { wrapped::unwrap_partial(reply, open) } else { Some((reply, open)) }
    }
}

/// What the rules of a type find in a value. One that can't be read into the type has other faults.
fn checks_in<T: CotOutput>(schema: &OutputSchema, given: Given<'_>, known: &Issues) -> Issues {
    let Ok(output) = given.read::<T>() else {
        return Issues::new();
    };
    let mut checker = Checker::new(known);
    match schema.is_wrapped {
        true => checker.field(wrapped::VALUE, |checker| output.run_checks(checker)),
        false => output.run_checks(&mut checker),
    }
    checker.into_issues(|| Some(schema.wrap(given.into_value())))
}

/// Checks an answer against the schema of an output, as [`OutputSchema::take`] does where the type is known.
/// A schema that can't be compiled refuses nothing.
pub(crate) fn fits(schema: &Value, answer: &Value) -> Result<(), Issues> {
    let Ok(target) = AnySchema::new(schema.clone()) else { return Ok(()) };
    let is_bare = wrapped::is_wrapped(schema) && !answer.is_object();
    let answer = if is_bare { wrapped::value(answer.clone()) } else { answer.clone() };
    accepted(&target, target.fit(answer)).map(|_| ())
}

/// A value that was brought into the expected form. What does not fit, or would be lost, is an issue.
fn accepted(target: &dyn Target, fit: Fit) -> Result<Value, Issues> {
    let Fit { value, repairs, mut issues, .. } = fit;
    issues.extend(target.refused_losses(&repairs));
    issues.into_result().map(|()| value)
}

fn generator() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.with(|settings| settings.meta_schema = None).into_generator()
}

/// The validator of a schema, which may hold the formats that outputs know.
pub(crate) fn compile<J: Json>(schema: &Value) -> Result<Validator<J>, String> {
    jsonschema::options_for::<J>()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .with_format("ip", |text: &str| text.parse::<std::net::IpAddr>().is_ok())
        .build(schema)
        .map_err(|error| format!("{} at `{}`", error, error.instance_path()))
}

/// The validator of a schema of any draft: where it does not say, of the newest, or of the one that
/// writes tuples as lists of `items`.
pub(crate) fn compile_any<J: Json>(schema: &Value) -> Result<Validator<J>, String> {
    let newest = jsonschema::options_for::<J>().should_validate_formats(true).build(schema);
    let told = |error: jsonschema::ValidationError<'_>| {
        format!("{} at `{}`", error, error.instance_path())
    };
    newest.or_else(|error| {
        let older = jsonschema::options_for::<J>()
            .with_draft(Draft::Draft7)
            .should_validate_formats(true)
            .build(schema);
        older.ok().filter(|_| schema.get("$schema").is_none()).ok_or_else(|| told(error))
    })
}

/// Checks a value against a schema and its validator.
pub(crate) fn check(schema: &Value, validator: &Validator, value: &Value) -> Result<(), Issues> {
    if validator.is_valid(value) {
        return Ok(());
    }
    if explain::is_too_large(value) {
        return Err(Issues::at("$", "does not fit the schema, and is too large to say where"));
    }
    Err(explain::issues(schema, value, validator.iter_errors(value)))
}

/// The name of the definition that a schema refers to.
fn definition_of(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()?.rsplit('/').next()
}

/// Longest name that servers take.
const MAX_NAME_BYTES: usize = 64;

fn identifier(name: &str) -> String {
    let is_word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let word: String = name.chars().map(is_word).take(MAX_NAME_BYTES).collect();
    if word.is_empty() { "output".to_owned() } else { word }
}
