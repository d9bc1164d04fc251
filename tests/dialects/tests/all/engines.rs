//! The engines that constrain decoding: each makes a grammar of a schema, over a vocabulary of single
//! bytes, and follows a reply.

use llguidance::{Matcher, ParserFactory, api::TopLevelGrammar};
use outlines_core::{index::Index, json_schema, vocabulary::Vocabulary};
use regex::{Regex, RegexBuilder};
use serde_json::Value;
use toktrie::{ApproximateTokEnv, TokEnv};

/// A grammar of `llguidance`.
pub(crate) struct Guidance {
    matcher: Matcher,
    tokens: TokEnv,
}

impl Guidance {
    pub(crate) fn new(schema: &Value) -> Result<Self, String> {
        let tokens = ApproximateTokEnv::single_byte_env();
        let factory = ParserFactory::new_simple(&tokens).map_err(|error| error.to_string())?;
        let grammar = TopLevelGrammar::from_json_schema(schema.clone());
        let parser = factory.create_parser(grammar);
        let mut matcher = Matcher::new(parser);
        match matcher.get_error() {
            Some(error) => Err(error),
            None if matcher.grammar_warnings().is_empty() => Ok(Self { matcher, tokens }),
            None => Err(matcher.grammar_warnings().join("; ")),
        }
    }

    pub(crate) fn takes(&self, reply: &Value) -> bool {
        let mut matcher = self.matcher.deep_clone();
        let tokens = self.tokens.tokenize(&reply.to_string());
        let taken = matcher.try_consume_tokens(&tokens).unwrap();
        taken == tokens.len() && matcher.is_accepting().unwrap()
    }
}

/// A regular expression of `outlines-core`.
pub(crate) struct Outlines {
    expression: String,
    matcher: Regex,
}

impl Outlines {
    pub(crate) fn new(schema: &Value) -> Result<Self, String> {
        let expression = Self::expression(schema)?;
        let matcher = RegexBuilder::new(&format!("^(?:{expression})$"))
            .size_limit(usize::MAX)
            .build()
            .map_err(|error| error.to_string())?;
        Ok(Self { expression, matcher })
    }

    pub(crate) fn expression(schema: &Value) -> Result<String, String> {
        json_schema::regex_from_value(schema, None, Some(3)).map_err(|error| error.to_string())
    }

    /// Whether the expression matches: the engine's own automaton does the same, but that of a large
    /// schema takes minutes to make.
    pub(crate) fn takes(&self, reply: &Value) -> bool {
        self.matcher.is_match(&reply.to_string())
    }

    /// Whether the engine's own automaton comes to an end with a reply.
    pub(crate) fn follows(&self, reply: &Value) -> Result<bool, outlines_core::Error> {
        let mut vocabulary = Vocabulary::new(256);
        for byte in 0..=u8::MAX {
            vocabulary.try_insert(vec![byte], byte.into())?;
        }
        let automaton = Index::new(&self.expression, &vocabulary)?;
        let mut state = automaton.initial_state();
        for byte in reply.to_string().bytes() {
            match automaton.next_state(&state, &byte.into()) {
                Some(next) => state = next,
                None => return Ok(false),
            }
        }
        Ok(automaton.is_final_state(&state))
    }
}
