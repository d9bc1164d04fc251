//! The JSON schema of an output.

use std::sync::OnceLock;

use jsonschema::Validator;
use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value};

use super::{
    given::Given,
    notes,
    reference::{definition_of, identifier},
    reserved::{self, ReservedKey},
    rules::Rules,
    wrapped,
};
use crate::{
    graph::graph::SchemaGraph,
    issue::Issues,
    plain::{node::PlainJson, plain::Plain},
    type_rules::TypeRules,
    validate::validator::{check, compile, compile_any},
};

/// The JSON schema of a type, and its validator.
#[derive(Debug)]
pub struct OutputSchema {
    name: String,
    json: Value,
    reference: Value,
    definitions: Map<String, Value>,
    pub(super) is_wrapped: bool,
    text: OnceLock<String>,
    /// For replies that are JSON as they stand.
    plain: Result<Validator<PlainJson>, String>,
    /// For all other values, and to say what is wrong; compiled when it is needed.
    validator: OnceLock<Result<Validator, String>>,
    compile: Compile,
    rules: Vec<TypeRules>,
    checks: Option<Checks>,
    graph: OnceLock<SchemaGraph>,
    reserved: Option<ReservedKey>,
}

/// What the rules of a type find in a value of it, beyond what is known to be wrong by the schema.
pub(super) type Checks = fn(&OutputSchema, Given<'_>, &Issues) -> Issues;

/// How a validator is made of a schema.
type Compile = fn(&Value) -> Result<Validator, String>;

impl OutputSchema {
    /// The schema of a type: what `serde` accepts when it reads one.
    #[must_use]
    pub fn of<T: JsonSchema>() -> Self {
        Self::with_rules::<T>(|_| {}, None)
    }

    pub(super) fn with_rules<T: JsonSchema>(
        gather: impl FnOnce(&mut Rules),
        checks: Option<Checks>,
    ) -> Self {
        let mut json = generator().into_root_schema_for::<T>().to_value();
        let mut embedded = generator();
        let mut reference = embedded.subschema_for::<T>().to_value();
        let mut definitions = embedded.take_definitions(true);
        let mut rules = Rules::new(embedded);
        gather(&mut rules);
        let checks = checks.filter(|_| rules.have_checks());
        let rules = rules.into_types();
        notes::add(&mut json, &mut definitions, &rules, definition_of(&reference));
        let is_wrapped = !wrapped::is_object(&json);
        if is_wrapped {
            reference = wrapped::wrap(&reference);
            json = wrapped::with_definitions(&reference, &definitions);
        }
        let reserved = reserved::find(&json);
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
            graph: OnceLock::new(),
        }
    }

    /// A schema that was given as JSON, of an object and of any draft.
    #[doc(hidden)]
    #[must_use]
    pub fn from_json(name: &str, json: Value) -> Self {
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
            graph: OnceLock::new(),
        }
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

/// What the reader and the engine need; not covered by semantic versioning.
#[doc(hidden)]
impl OutputSchema {
    /// The graph of the schema, compiled once.
    pub fn graph(&self) -> &SchemaGraph {
        let root = definition_of(&self.reference).filter(|_| !self.is_wrapped);
        self.graph.get_or_init(|| SchemaGraph::compile(&self.json, &self.rules, root))
    }

    /// The member that a reply of the type can have, and that would make it a transition.
    pub const fn reserved(&self) -> Option<&ReservedKey> {
        self.reserved.as_ref()
    }

    /// What the rules of the type find in a reply, beyond what is wrong with it by the schema.
    pub fn broken_rules(&self, reply: &Value, known: &Issues) -> Issues {
        let Some(checks) = self.checks else {
            return Issues::new();
        };
        checks(self, Given::Value(self.unwrap(reply.clone())), known)
    }

    /// The text of the value of the type itself, out of a reply that is valid as it stands and keeps the
    /// rules of the type.
    pub fn valid_text<'t>(&self, json: &'t str, reply: &Plain<'_>) -> Option<&'t str> {
        if !self.plain.as_ref().ok()?.is_valid(reply) {
            return None;
        }
        let json = if self.is_wrapped { wrapped::text(json)? } else { json };
        let is_right = |checks: Checks| checks(self, Given::Text(json), &Issues::new()).is_empty();
        self.checks.is_none_or(is_right).then_some(json)
    }

    /// A value of the type itself, as a reply has it.
    pub fn wrap(&self, value: Value) -> Value {
        if self.is_wrapped { wrapped::value(value) } else { value }
    }

    /// The value of the type itself, out of a reply that fits the schema.
    pub fn unwrap(&self, reply: Value) -> Value {
        if self.is_wrapped { wrapped::unwrap(reply) } else { reply }
    }

    /// What has come of the value of the type itself, out of what has come of a reply, of which the last
    /// `open` values, each within the one before, are not finished.
    pub fn unwrap_partial(&self, reply: Value, open: usize) -> Option<(Value, usize)> {
        if self.is_wrapped { wrapped::unwrap_partial(reply, open) } else { Some((reply, open)) }
    }
}

fn generator() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.with(|settings| settings.meta_schema = None).into_generator()
}
