//! Model calls that are sent to other nodes.

use std::{sync::Arc, time::Duration};

use cot_core::{
    CallId, Directive,
    model::{ModelRequest, ReplySchema},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A model call that is sent to another node.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    pub(crate) id: CallId,
    /// The key of the call, for display.
    pub(crate) call: String,
    engine: Option<String>,
    pub(crate) timeout: Option<Duration>,
    system: Option<String>,
    prompt: String,
    /// The explanation of the reply's format at the end of the prompt.
    format: String,
    schema: Option<(String, Value)>,
    temperature: Option<f64>,
    max_tokens: Option<u32>,
}

impl Request {
    /// Creates the request of a directive; `None` if the directive is not a model call.
    pub(crate) fn from_directive<T>(directive: &Directive<T>) -> Option<Self> {
        let call = directive.as_model_call()?;
        let request = &*call.request;
        let prompt = request.prompt_without_format();
        let schema = request.schema.as_deref();
        Some(Self {
            id: directive.id,
            call: directive.key.to_string(),
            engine: call.engine.map(str::to_owned),
            timeout: directive.timeout,
            system: request.system.as_deref().map(str::to_owned),
            prompt: prompt.to_owned(),
            format: request.prompt()[prompt.len()..].to_owned(),
            schema: schema.map(|schema| (schema.name.clone(), schema.json.clone())),
            temperature: request.temperature,
            max_tokens: request.max_tokens,
        })
    }

    pub(crate) fn engine(&self) -> Option<&str> {
        self.engine.as_deref()
    }

    pub(crate) fn into_request(self) -> Arc<ModelRequest> {
        let mut request = ModelRequest::new(self.prompt).append_format(&self.format);
        request.system = self.system.map(Into::into);
        request.schema = self.schema.map(|(name, json)| Arc::new(ReplySchema { name, json }));
        request.temperature = self.temperature;
        request.max_tokens = self.max_tokens;
        Arc::new(request)
    }
}

#[cfg(test)]
mod tests {
    use cot_core::{Machine, prelude::*};
    use schemars::JsonSchema;

    use super::*;

    #[derive(Debug, Clone, Serialize, Deserialize, JsonSchema, CotOutput)]
    struct Note {
        text: String,
    }

    cot_process! {
        process Notes {
            state: Vec<String>,
            system: "You write notes.",
            task write -> Note {
                for_each: item in state.iter(),
                prompt: "About ${item}.",
                temperature: 0.1,
                max_tokens: 70,
                timeout: 5s,
                model: "small",
                next: done,
            }
            task done { end }
        }
    }

    #[test]
    fn a_call_arrives_as_it_was_sent() {
        let mut machine = Machine::<Notes>::new();
        machine.start(vec!["salt".to_owned()]).unwrap();
        let calls = machine.poll().directives();
        let json = serde_json::to_string(&Request::from_directive(&calls[0]).unwrap()).unwrap();
        let request: Request = serde_json::from_str(&json).unwrap();
        assert_eq!((request.engine(), &*request.call), (Some("small"), "write#1[0]@1"));
        assert_eq!((request.id, request.timeout), (calls[0].id, calls[0].timeout));
        let (arrived, sent) = (request.into_request(), &calls[0].as_model_call().unwrap().request);
        assert_eq!(arrived.prompt(), sent.prompt());
        assert_eq!(arrived.prompt_without_format(), sent.prompt_without_format());
        assert_eq!((&arrived.system, &arrived.schema), (&sent.system, &sent.schema));
        assert_eq!((arrived.temperature, arrived.max_tokens), (Some(0.1), Some(70)));
    }
}
