//! The dialects of JSON schema that engines take.

use std::fmt;

use serde_json::Value;

use self::{rules::Rules, walk::Walker};

mod anthropic;
mod apart;
mod gemini;
mod limits;
mod llama_cpp;
mod merge;
mod normal;
mod nullable;
mod openai;
mod pattern;
mod root;
mod rules;
mod say;
mod shapes;
#[cfg(test)]
mod tests;
mod union;
mod vllm;
mod walk;

/// The dialect of JSON schema that an engine takes.
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

/// Something in a schema that a dialect can't express.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inexpressible {
    /// JSON path into the schema: `$.$defs.Node`.
    pub path: String,
    /// Why not, in words.
    pub reason: String,
}

/// The formats of strings that OpenAI takes.
const FORMATS: &[&str] =
    &["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

impl Dialect {
    /// A schema in this dialect.
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

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.path, self.reason)
    }
}
