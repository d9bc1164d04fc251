//! The conversation with the server: tries, pauses, and the fall-back for a format it does not know.

use std::{
    fmt,
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use cot_model::{DeltaSink, ModelError, ModelErrorKind, ModelReply, ModelRequest};
use cot_schema::Dialect;
use futures_util::FutureExt;
use genai::ServiceTarget;

use super::{
    family::Family,
    fault,
    options::Options,
    question::Question,
    raw::Tap,
    stream::{self, Partial},
    whole,
};
use crate::http::{Complaint, Failure, ResponseFormat, Secrets};

pub(super) struct Client {
    genai: genai::Client,
    target: ServiceTarget,
    family: Family,
    secrets: Secrets,
    options: Options,
    /// The server has turned out not to know the response format.
    prompt_only: AtomicBool,
}

impl Client {
    pub(super) fn new(
        genai: genai::Client,
        target: ServiceTarget,
        family: Family,
        secrets: Secrets,
        options: Options,
    ) -> Self {
        Self { genai, target, family, secrets, options, prompt_only: AtomicBool::new(false) }
    }

    /// The dialect of the schemas that are sent; where none is, any will do.
    pub(super) fn dialect(&self) -> Dialect {
        match self.options.response_format {
            ResponseFormat::JsonSchema => self.family.dialect(),
            _ => Dialect::Plain,
        }
    }

    /// Asks until there is a reply, or no hope of one. With a sink, the reply is streamed.
    pub(super) async fn ask(
        &self,
        request: &ModelRequest,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, ModelError> {
        let question = self.question(request, self.format(request))?;
        let failure = match self.try_repeatedly(&question, sink).await {
            Ok(reply) => return Ok(reply),
            Err(failure) => failure,
        };
        let complaint = failure.complaint;
        if !matches!(complaint, Some(Complaint::Format | Complaint::Schema))
            || question.format == ResponseFormat::PromptOnly
        {
            return Err(failure.into_error());
        }
        let question = self.question(request, ResponseFormat::PromptOnly)?;
        let reply = self.try_repeatedly(&question, sink).await;
        if reply.is_ok() && complaint == Some(Complaint::Format) {
            self.prompt_only.store(true, Ordering::Relaxed);
        }
        reply.map_err(Failure::into_error)
    }

    fn question<'a>(
        &self,
        request: &'a ModelRequest,
        format: ResponseFormat,
    ) -> Result<Question<'a>, ModelError> {
        Question::new(request, format, self.options.explain_format, self.family)
    }

    fn format(&self, request: &ModelRequest) -> ResponseFormat {
        match self.options.response_format {
            _ if request.schema.is_none() || self.prompt_only.load(Ordering::Relaxed) => {
                ResponseFormat::PromptOnly
            }
            ResponseFormat::JsonSchema if !self.family.takes_schema() => ResponseFormat::JsonObject,
            format => format,
        }
    }

    async fn try_repeatedly(
        &self,
        question: &Question<'_>,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, Failure> {
        let try_once = || self.try_once(question, sink);
        self.options.patience.try_repeatedly(try_once).await
    }

    async fn try_once(
        &self,
        question: &Question<'_>,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, Failure> {
        // `genai` adds up token counts that servers tell, in numbers that they can overflow.
        let call = AssertUnwindSafe(self.call(question, sink)).catch_unwind();
        let reply = call.await.unwrap_or_else(|_| {
            let message = "the crate `genai` panicked at what the server answered";
            Err(Failure::new(ModelErrorKind::Other, message.to_owned()))
        });
        // At once, and not only after the pause: what came of it is void.
        reply.inspect_err(|_| sink.into_iter().for_each(DeltaSink::restart))
    }

    async fn call(
        &self,
        question: &Question<'_>,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, Failure> {
        let tap = Arc::new(Tap::default());
        let (chat, options) = (question.chat_request(), question.chat_options(&tap));
        let limit = self.options.max_reply_bytes;
        let target = self.target.clone();
        let Some(sink) = sink else {
            let reply = match self.genai.exec_chat(target, chat, Some(&options)).await {
                Ok(response) => whole::read(response, self.family, &self.secrets),
                Err(error) => whole::read_failed(error, &self.secrets),
            }?;
            return if reply.text.len() > limit {
                Err(Failure::too_large(limit))
            } else {
                Ok(reply)
            };
        };
        let response = self.genai.exec_chat_stream(target, chat, Some(&options)).await;
        let response = response.map_err(|error| fault::failure(error, &self.secrets))?;
        let partial = Partial::new(self.family, limit, &self.secrets, sink);
        stream::read(response.stream, &tap, partial).await
    }

    /// `Debug` without the key.
    pub(super) fn fmt_as(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("provider", &self.target.model.adapter_kind)
            .field("endpoint", &self.target.endpoint.base_url())
            .field("model", &self.target.model.model_name.as_str())
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
