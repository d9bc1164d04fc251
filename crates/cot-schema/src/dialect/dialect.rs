//! The dialects of JSON schema that engines take.

use serde_json::Value;

use super::{
    anthropic, apart, error::Inexpressible, gemini, limits, llama_cpp, openai, root, rules::Rules,
    vllm, walk::Walker,
};

/// The dialect of JSON schema that an engine takes.
///
/// The schema of a reply is [rewritten](Self::rewrite) for the engine that is asked. The order of members
/// is kept: it is the order in which a model answers. The reply is validated against the schema as it
/// was, so what a dialect drops holds all the same; a model reads it as a sentence in the description.
///
/// | | takes | drops, and says | writes in another form | refuses |
/// |---|---|---|---|---|
/// | [`OpenAiStrict`](Self::OpenAiStrict) | `pattern`, nine formats, ranges, numbers of items, recursion | lengths, other formats, `uniqueItems`, defaults | optional members as nullable, maps as entries, tuples as lists, a root that is no object in `reply`, objects of a choice that begin alike in a member of their own | any value, objects with both own members and others; over 5000 members, 10 levels, 1000 enum values, 120,000 characters of names and values, 15,000 in an enum of more than 250 |
/// | [`Anthropic`](Self::Anthropic) | `pattern` without `\b`, ten formats, defaults, `minItems` of 0 and 1, optional members | ranges, lengths, other numbers of items | an optional member is left out and never null, maps, tuples and the root as above | recursion, any value, objects with both own members and others, lists and objects in enums; over 24 optional members and 16 choices |
/// | [`Gemini`](Self::Gemini) | ranges that include their ends, numbers of items, tuples, maps, three formats, optional members | `pattern`, lengths, other ranges and formats, defaults | `const` as an enum of one; `propertyOrdering` is added | recursion through required members |
/// | [`LlamaCpp`](Self::LlamaCpp) | lengths and numbers of items up to 2000, ranges of integers, plain patterns from `^` to `$`, four formats, tuples, maps, recursion | other patterns, ranges of other numbers, `multipleOf`, `uniqueItems` | | |
/// | [`Vllm`](Self::Vllm) | lengths and numbers of items up to 2000, ranges, patterns, four formats, tuples, maps, recursion | `multipleOf`, `uniqueItems`, other formats | short definitions in the place of references | |
/// | [`Plain`](Self::Plain) | all of it | | | |
///
/// In all but the last, objects are closed, `oneOf` is `anyOf`, `allOf` is merged, lists of types are
/// choices, and enums of described names are one list of names with a longer description. Patterns
/// that look around or refer back are dropped.
///
/// The rules come from OpenAI's page on structured outputs and the errors of its service, from
/// Anthropic's page on structured outputs and what its clients do to a schema, from Google's reference
/// of `responseJsonSchema`, from the grammar converter of `llama.cpp`, and from the converters of
/// `llguidance`, `outlines-core` and `xgrammar`.
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
    /// The schema as it is, for engines that only read it, or that take all of JSON schema.
    #[default]
    Plain,
}

impl Dialect {
    /// A schema in this dialect. What it writes in another form, the reader brings back:
    ///
    /// - `null` for an optional member that is left out;
    /// - `{"reply": …}` around a reply whose schema is not that of one object, and `{"name": …}` around
    ///   an object of a choice that could not be told from another by its first member;
    /// - `[{"key": …, "value": …}, …]` for a map.
    ///
    /// # Errors
    ///
    /// Everything in the schema that the dialect can't express.
    pub fn rewrite(self, schema: &Value) -> Result<Value, Vec<Inexpressible>> {
        match self.rules() {
            Some(rules) => rewrite(schema, rules),
            None => Ok(schema.clone()),
        }
    }

    const fn rules(self) -> Option<&'static Rules> {
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

fn rewrite(schema: &Value, rules: &'static Rules) -> Result<Value, Vec<Inexpressible>> {
    let moved = root::without_root_references(schema);
    let mut walker = Walker::new(rules, moved.as_ref().unwrap_or(schema));
    let (mut root, mut definitions) = walker.rewrite();
    let mut problems = walker.problems;
    if rules.tells_by_first_member {
        let known = definitions.clone();
        apart::tell_apart(&mut root, &known);
        definitions.values_mut().for_each(|definition| apart::tell_apart(definition, &known));
    }
    let rewritten = root::assemble(root, definitions, rules.root);
    problems.extend(limits::check(&rewritten, rules));
    if problems.is_empty() { Ok(rewritten) } else { Err(problems) }
}
