//! The subsets of JSON schema that inference engines support.

use serde_json::Value;

use super::{
    anthropic, distinguish, error::DialectError, gemini, limits, llama_cpp, openai, root,
    rules::DialectRules, vllm, walk::Walker,
};

/// The subset of JSON schema that an inference engine supports.
///
/// The schema of a reply is [rewritten](Self::rewrite) for the engine that generates it. The order of
/// members is preserved, since a model generates them in this order. Constraints that a dialect doesn't
/// support are moved to the description as sentences. They still apply: the reply is validated against the
/// original schema.
///
/// | | supports | moves to the description | writes in another form | rejects |
/// |---|---|---|---|---|
/// | [`OpenAiStrict`](Self::OpenAiStrict) | `pattern`, nine formats, ranges, numbers of items, recursion | lengths, other formats, `uniqueItems`, defaults | optional members as nullable, maps as entries, tuples as lists, a root that is not an object in `reply`, objects of a choice that begin with the same member in a member of their own, objects and lists of anything as the text of their JSON | any value, objects with both own members and others; over 5000 members, 10 levels, 1000 enum values, 120,000 characters of names and values, 15,000 in an enum of more than 250 |
/// | [`Anthropic`](Self::Anthropic) | `pattern` without `\b`, ten formats, defaults, `minItems` of 0 and 1, optional members | ranges, lengths, other numbers of items | an optional member is left out and never null; maps, tuples, the root, and objects and lists of anything as above | recursion, any value, objects with both own members and others, lists and objects in enums; over 24 optional members and 16 choices |
/// | [`Gemini`](Self::Gemini) | inclusive ranges, numbers of items, tuples, maps, three formats, optional members | `pattern`, lengths, other ranges and formats, defaults | `const` as an enum of one; `propertyOrdering` is added | recursion through required members |
/// | [`LlamaCpp`](Self::LlamaCpp) | lengths and numbers of items up to 2000, ranges of integers, patterns from `^` to `$` of characters that JSON does not escape, four formats, tuples, maps, recursion | other patterns, ranges of other numbers, `multipleOf`, `uniqueItems` | patterns without escapes, any value as a list of all types | |
/// | [`Vllm`](Self::Vllm) | lengths and numbers of items up to 2000, ranges, patterns, four formats, tuples, maps, recursion | `multipleOf`, `uniqueItems`, other formats | short definitions in place of references | |
/// | [`Plain`](Self::Plain) | everything | | | |
///
/// All dialects but the last replace `oneOf` by `anyOf`, merge `allOf`, expand lists of types to choices, and
/// combine enums of described names into one list of names with a longer description. Patterns with look-around
/// or backreferences are dropped.
///
/// They close objects that name their members and don't mention others, since nobody would read those. An object
/// that names none may have any, unless its `properties` are `{}` or its `additionalProperties` are `false`.
///
/// The rules come from OpenAI's page on structured outputs and the errors of its service, from Anthropic's
/// page on structured outputs and the transformations of its clients, from Google's reference of
/// `responseJsonSchema`, from the grammar converter of `llama.cpp`, and from the converters of `llguidance`,
/// `outlines-core` and `xgrammar`.
///
/// ```
/// use cot_core::model::Dialect;
/// use serde_json::json;
///
/// let schema = json!({
///     "type": "object",
///     "properties": { "name": { "type": "string", "maxLength": 40 }, "age": { "type": "integer" } },
///     "required": ["name"],
/// });
/// let strict = Dialect::OpenAiStrict.rewrite(&schema).expect("it has a closed form");
/// assert_eq!(strict["required"], json!(["name", "age"]));
/// assert_eq!(strict["properties"]["name"]["description"], "At most 40 characters.");
/// assert_eq!(strict["properties"]["age"]["anyOf"][1], json!({ "type": "null" }));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// OpenAI's structured outputs with `strict: true`.
    OpenAiStrict,
    /// Anthropic's output formats and strict tools.
    Anthropic,
    /// Gemini's `responseJsonSchema`.
    Gemini,
    /// The grammars of `llama.cpp` and Ollama.
    LlamaCpp,
    /// The guided decoding of vLLM: `xgrammar`, `llguidance`, `outlines`.
    Vllm,
    /// The unchanged schema, for engines that support all of JSON schema or only show it to the model.
    #[default]
    Plain,
}

impl Dialect {
    /// Rewrites a schema in this dialect.
    ///
    /// Some constructs are written in another form, from which the reader converts replies back:
    ///
    /// - `null` for an absent optional member;
    /// - `{"reply": …}` around a reply whose schema is not that of a single object;
    /// - `{"name": …}` around an object of a choice that shares its first member with another one;
    /// - `[{"key": …, "value": …}, …]` for a map;
    /// - `"{…}"` or `"[…]"` for an object or a list of anything.
    ///
    /// # Errors
    ///
    /// Returns all parts of the schema that the dialect can't express.
    pub fn rewrite(self, schema: &Value) -> Result<Value, Vec<DialectError>> {
        match self.rules() {
            Some(rules) => rewrite(schema, rules),
            None => Ok(schema.clone()),
        }
    }

    const fn rules(self) -> Option<&'static DialectRules> {
        Some(match self {
            Self::OpenAiStrict => &openai::RULES,
            Self::Anthropic => &anthropic::RULES,
            Self::Gemini => &gemini::RULES,
            Self::LlamaCpp => &llama_cpp::RULES,
            Self::Vllm => &vllm::RULES,
            Self::Plain => return None,
        })
    }
}

fn rewrite(schema: &Value, rules: &'static DialectRules) -> Result<Value, Vec<DialectError>> {
    let moved = root::move_referenced_root(schema);
    let mut walker = Walker::new(rules, moved.as_ref().unwrap_or(schema));
    let (mut root, mut definitions) = walker.rewrite();
    let mut problems = walker.problems;
    if rules.requires_distinct_first_members {
        let known = definitions.clone();
        distinguish::distinguish_branches(&mut root, &known);
        definitions
            .values_mut()
            .for_each(|definition| distinguish::distinguish_branches(definition, &known));
    }
    let rewritten = root::assemble(root, definitions, rules.root);
    problems.extend(limits::check(&rewritten, rules));
    if problems.is_empty() { Ok(rewritten) } else { Err(problems) }
}
