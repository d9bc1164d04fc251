//! Model calls that are sent to other nodes.

use std::{sync::Arc, time::Duration};

use cot_core::{CallId, Directive, model::ModelRequest};
use serde::{Deserialize, Serialize};

/// A model call that is sent to another node.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Request {
    pub(crate) id: CallId,
    /// The key of the call, for display.
    pub(crate) call: String,
    engine: Option<String>,
    pub(crate) timeout: Option<Duration>,
    request: ModelRequest,
}

impl Request {
    /// Creates the request of a directive; `None` if the directive is not a model call.
    pub(crate) fn from_directive<T>(directive: &Directive<T>) -> Option<Self> {
        let call = directive.as_model_call()?;
        Some(Self {
            id: directive.id,
            call: directive.key.to_string(),
            engine: call.engine.map(str::to_owned),
            timeout: directive.timeout,
            request: ModelRequest::clone(&call.request),
        })
    }

    pub(crate) fn engine(&self) -> Option<&str> {
        self.engine.as_deref()
    }

    pub(crate) fn into_request(self) -> Arc<ModelRequest> {
        Arc::new(self.request)
    }
}

#[cfg(test)]
mod tests {
    use cot_core::{Machine, model::Image, prelude::*};
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
        assert_eq!(&arrived, sent);
        let settings = &arrived.settings;
        assert_eq!((settings.temperature, settings.max_tokens), (Some(0.1), Some(70)));
    }

    #[test]
    fn images_arrive_with_the_request() {
        let mut machine = Machine::<Notes>::new();
        machine.start(vec!["salt".to_owned()]).unwrap();
        let call = Request::from_directive(&machine.poll().directives()[0]).unwrap();
        let image = Image::from_bytes(b"GIF89a then the pixels").unwrap();
        let request = ModelRequest::new("Look: ").append_media(image.into());
        let json = serde_json::to_string(&Request { request: request.clone(), ..call }).unwrap();
        let arrived: Request = serde_json::from_str(&json).unwrap();
        assert_eq!(*arrived.into_request(), request);
    }
}
