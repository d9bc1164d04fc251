//! The engines that constrain decoding: each makes a grammar of a schema, over a vocabulary of single
//! bytes, and follows a reply.

use llguidance::{Matcher, ParserFactory, api::TopLevelGrammar};
use outlines_core::{index::Index, json_schema, vocabulary::Vocabulary};
use serde_json::Value;
use toktrie::{ApproximateTokEnv, TokEnv};

/// A grammar of `llguidance`.
pub(crate) struct Guidance {
    matcher: Matcher,
    tokens: TokEnv,
}

impl Guidance {
    pub(crate) fn of(schema: &Value) -> Result<Self, String> {
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

/// A regular expression of `outlines-core`, as an automaton.
pub(crate) struct Outlines(Index);

impl Outlines {
    pub(crate) fn of(schema: &Value) -> Result<Self, String> {
        let regex = Self::regex(schema)?;
        let mut vocabulary = Vocabulary::new(256);
        for byte in 0..=u8::MAX {
            vocabulary.try_insert(vec![byte], byte.into()).map_err(|error| error.to_string())?;
        }
        Index::new(&regex, &vocabulary).map(Self).map_err(|error| error.to_string())
    }

    /// The expression alone: the automaton of a large schema takes long.
    pub(crate) fn regex(schema: &Value) -> Result<String, String> {
        json_schema::regex_from_value(schema, None, Some(3)).map_err(|error| error.to_string())
    }

    pub(crate) fn takes(&self, reply: &Value) -> bool {
        let mut state = self.0.initial_state();
        for byte in reply.to_string().bytes() {
            match self.0.next_state(&state, &byte.into()) {
                Some(next) => state = next,
                None => return false,
            }
        }
        self.0.is_final_state(&state)
    }
}
