//! The JSON schema of an output type.

use std::{borrow::Cow, sync::OnceLock};

use jsonschema::Validator;
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Map, Value};

use super::{
    checker::checker::Checker,
    given::UntypedOutput,
    notes,
    reference::{definition_of, identifier},
    reserved::{self, ReservedKey},
    rules::RulesCollector,
    wrapped,
};
use crate::{
    graph::graph::SchemaGraph,
    issue::Issues,
    notation::notation::notation,
    plain::{node::BorrowedJsonFormat, plain::BorrowedJson},
    type_rules::TypeRules,
    validate::validator::{check, compile, compile_any},
};

/// The JSON schema of a type, with its validator.
#[derive(Debug)]
pub struct OutputSchema {
    name: String,
    json: Value,
    reference: Value,
    definitions: Map<String, Value>,
    pub(super) is_wrapped: bool,
    text: OnceLock<String>,
    notation: OnceLock<String>,
    /// The validator of borrowed JSON, for replies that need no repairs.
    plain: Result<Validator<BorrowedJsonFormat>, String>,
    /// The validator of values, which also reports errors. Compiled on first use.
    validator: OnceLock<Result<Validator, String>>,
    compile: Compile,
    rules: Vec<TypeRules>,
    checks: Option<Checks>,
    graph: OnceLock<SchemaGraph>,
    reserved: Option<ReservedKey>,
}

/// Runs the checks of a type on an output. Does nothing if it can't be deserialized: the schema reports it.
pub(super) type Checks = fn(&UntypedOutput<'_>, &mut Checker<'_>);

/// Compiles a schema into a validator.
type Compile = fn(&Value) -> Result<Validator, String>;

impl OutputSchema {
    /// Creates the schema of the values that a type deserializes from.
    #[must_use]
    pub fn for_type<T: JsonSchema>() -> Self {
        Self::with_rules(Source::new::<T>(), |_| {}, None)
    }

    /// Creates a schema. It has no type parameter, so that it is not compiled for each type.
    pub(super) fn with_rules(
        source: Source,
        gather: fn(&mut RulesCollector),
        checks: Option<Checks>,
    ) -> Self {
        let Source { name, root, mut embedded, reference } = source;
        let (mut json, mut reference) = (root.to_value(), reference.to_value());
        let mut definitions = embedded.take_definitions(true);
        let mut rules = RulesCollector::new(embedded);
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
            name: identifier(&name),
            reference,
            definitions,
            is_wrapped,
            text: OnceLock::new(),
            notation: OnceLock::new(),
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

    /// Creates a schema from JSON Schema of any draft. Its values must be objects.
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
            notation: OnceLock::new(),
            plain: compile_any(&json),
            validator: OnceLock::new(),
            compile: compile_any,
            // Conversations have no transitions.
            reserved: None,
            json,
            rules: Vec::new(),
            checks: None,
            graph: OnceLock::new(),
        }
    }

    /// Returns the name of the type, reduced to ASCII letters, digits and `_`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the schema of a reply.
    ///
    /// A reply is always an object. A type with other values, such as an enum of plain names, is wrapped
    /// into an object with the member `value`.
    #[must_use]
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// Returns the schema for use inside a larger one, which must contain the
    /// [`definitions`](Self::definitions).
    #[must_use]
    pub fn reference(&self) -> &Value {
        &self.reference
    }

    /// Returns the definitions for `$defs` that [`reference`](Self::reference) refers to, the type itself
    /// included.
    #[must_use]
    pub fn definitions(&self) -> &Map<String, Value> {
        &self.definitions
    }

    /// Returns the schema as compact JSON text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.text.get_or_init(|| self.json.to_string())
    }

    /// Returns the schema as a type, which is how a prompt explains the format of a reply.
    ///
    /// It has the form of the JSON that a model writes, in which types stand for values. Descriptions and rules
    /// are comments. Types that are recursive or occur several times have names, and stand before the others.
    ///
    /// ```
    /// use cot_schema::OutputSchema;
    /// use schemars::JsonSchema;
    ///
    /// /// What a parcel has.
    /// #[derive(JsonSchema)]
    /// struct Parcel {
    ///     /// Where it goes.
    ///     to: String,
    ///     #[schemars(range(min = 1, max = 30))]
    ///     kilograms: u8,
    ///     note: Option<String>,
    /// }
    ///
    /// let schema = OutputSchema::for_type::<Parcel>();
    /// assert_eq!(
    ///     schema.notation(),
    ///     r#"{ // What a parcel has.
    ///   "to": string, // Where it goes.
    ///   "kilograms": integer, // From 1 to 30.
    ///   "note": string or null
    /// }"#
    /// );
    /// # let Parcel { to, kilograms, note } = Parcel { to: String::new(), kilograms: 1, note: None };
    /// # let _ = (to, kilograms, note);
    /// ```
    #[must_use]
    pub fn notation(&self) -> &str {
        self.notation.get_or_init(|| notation(&self.json))
    }

    /// Returns why the schema could not be compiled, or `None` if it could.
    #[must_use]
    pub fn compile_error(&self) -> Option<&str> {
        self.plain.as_ref().err().map(String::as_str)
    }

    /// Checks a value against the schema.
    ///
    /// # Errors
    ///
    /// Returns all errors in the value. A schema that could not be compiled rejects every value.
    pub fn validate(&self, value: &Value) -> Result<(), Issues> {
        match self.validator.get_or_init(|| (self.compile)(&self.json)) {
            Ok(validator) => check(&self.json, validator, value),
            Err(problem) => Err(Issues::at("$", format!("the schema is invalid: {problem}"))),
        }
    }
}

/// Methods for the reader and the engine. They are not covered by semantic versioning.
#[doc(hidden)]
impl OutputSchema {
    /// Returns the compiled graph of the schema. Compiled on first use.
    pub fn graph(&self) -> &SchemaGraph {
        self.graph.get_or_init(|| {
            let root = definition_of(&self.reference).filter(|_| !self.is_wrapped);
            SchemaGraph::compile(&self.json, &self.rules, root)
        })
    }

    /// Returns the first member with a reserved name. A reply with this member would be read as a
    /// transition.
    pub const fn reserved(&self) -> Option<&ReservedKey> {
        self.reserved.as_ref()
    }

    /// Runs the `#[cot(…)]` checks on a reply. Values with known schema errors are skipped.
    pub fn check_rules(&self, reply: &Value, known: &Issues) -> Issues {
        match self.checks {
            Some(checks) => {
                self.run(checks, UntypedOutput::Value(self.unwrap(reply.clone())), known)
            }
            None => Issues::new(),
        }
    }

    /// Returns the JSON text of the value in a reply if the reply passes the schema and all checks without
    /// repairs.
    pub fn valid_text<'t>(&self, json: &'t str, reply: &BorrowedJson<'_>) -> Option<&'t str> {
        if !self.plain.as_ref().ok()?.is_valid(reply) {
            return None;
        }
        let json = if self.is_wrapped { wrapped::text(json)? } else { json };
        let is_right =
            |checks| self.run(checks, UntypedOutput::Text(json), &Issues::new()).is_empty();
        self.checks.is_none_or(is_right).then_some(json)
    }

    /// Runs checks on an output that is not wrapped. Values with known schema errors are skipped.
    fn run(&self, checks: Checks, output: UntypedOutput<'_>, known: &Issues) -> Issues {
        let mut checker = Checker::new(known);
        match self.is_wrapped {
            true => checker.field(wrapped::VALUE, |checker| checks(&output, checker)),
            false => checks(&output, &mut checker),
        }
        checker.into_issues(|| Some(self.wrap(output.into_value())))
    }

    /// Converts a value of the type to a reply: wraps it into an object if the schema is wrapped.
    pub fn wrap(&self, value: Value) -> Value {
        if self.is_wrapped { wrapped::value(value) } else { value }
    }

    /// Converts a valid reply to a value of the type: the reverse of [`wrap`](Self::wrap).
    pub fn unwrap(&self, reply: Value) -> Value {
        if self.is_wrapped { wrapped::unwrap(reply) } else { reply }
    }

    /// Unwraps an incomplete reply. The innermost `open` values at its end are unfinished. Returns
    /// the value and the number of unfinished values in it, or `None` if the value has not begun.
    pub fn unwrap_partial(&self, reply: Value, open: usize) -> Option<(Value, usize)> {
        if self.is_wrapped { wrapped::unwrap_partial(reply, open) } else { Some((reply, open)) }
    }
}

/// What a type says of its schema.
pub(super) struct Source {
    name: Cow<'static, str>,
    /// The schema with its definitions.
    root: Schema,
    /// The schema for use inside a larger one, and the generator that has its definitions.
    reference: Schema,
    embedded: SchemaGenerator,
}

impl Source {
    pub(super) fn new<T: JsonSchema>() -> Self {
        let mut embedded = generator();
        let reference = embedded.subschema_for::<T>();
        let root = generator().into_root_schema_for::<T>();
        Self { name: T::schema_name(), root, reference, embedded }
    }
}

fn generator() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.with(|settings| settings.meta_schema = None).into_generator()
}
