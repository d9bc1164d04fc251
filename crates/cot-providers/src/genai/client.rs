//! The client: attempts, delays, and the fallbacks for features that a server does not support.

use std::{fmt, panic::AssertUnwindSafe, sync::Arc};

use cot_model::{
    AcceptedMedia, DeltaSink, ModelError, ModelErrorKind, ModelInfo, ModelReply, ModelRequest,
};
use cot_schema::Dialect;
use futures_util::FutureExt;
use genai::{ServiceTarget, adapter::AdapterKind};

use super::{
    capabilities::{RequestForm, ServerCapabilities},
    content,
    family::Family,
    fault,
    options::Options,
    prepared_request::PreparedRequest,
    raw::FrameCollector,
    stream::{self, PartialReply},
    whole,
};
use crate::http::{AttemptError, Issuer, ResponseFormat, Secrets, Waits};

pub(super) struct Client {
    genai: genai::Client,
    target: ServiceTarget,
    family: Family,
    issuer: Issuer,
    secrets: Secrets,
    options: Options,
    capabilities: ServerCapabilities,
}

impl Client {
    pub(super) fn new(
        genai: genai::Client,
        target: ServiceTarget,
        (family, issuer): (Family, Issuer),
        secrets: Secrets,
        options: Options,
    ) -> Self {
        let capabilities = ServerCapabilities::default();
        Self { genai, target, family, issuer, secrets, options, capabilities }
    }

    /// Returns the dialect of the schemas that are sent; [`Dialect::Plain`] if none are sent.
    pub(super) fn dialect(&self) -> Dialect {
        match self.options.response_format {
            ResponseFormat::JsonSchema => self.family.dialect(),
            _ => Dialect::Plain,
        }
    }

    /// Returns the images and documents that the model accepts.
    pub(super) fn accepted_media(&self) -> AcceptedMedia {
        self.options.accepts.unwrap_or_default()
    }

    /// Sends a request, with retries and fallbacks. With a sink, the reply is streamed.
    pub(super) async fn ask(
        &self,
        request: &ModelRequest,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, ModelError> {
        content::check(request, self.accepted_media(), &self.target.model, self.family)?;
        let request = self.issuer.without_foreign_data(request);
        let mut form = self.request_form(&request);
        let mut rejections = Vec::new();
        loop {
            let shown = request.in_form_for(form.tools);
            let model = &self.target.model;
            let prepared =
                PreparedRequest::new(&shown, form.format, &self.options, (self.family, model))?;
            let failure = match self.with_retries(&prepared, sink).await {
                Ok(reply) => {
                    self.capabilities.record(&rejections);
                    let reply = if form.tools { reply } else { reply.tool_calls([]) };
                    return Ok(self.issuer.sign(reply));
                }
                Err(failure) => failure,
            };
            let rejection = failure.rejection.map(|rejection| form.rejected(rejection));
            let Some(next) = rejection.and_then(|rejection| form.without(rejection)) else {
                return failure.into_result();
            };
            rejections.extend(rejection);
            form = next;
        }
    }

    /// Returns what is known of the model.
    pub(super) fn info(&self) -> ModelInfo<'_> {
        let info = ModelInfo::new().model(&self.target.model.model_name);
        let provider = match self.target.model.adapter_kind {
            AdapterKind::OpenAI | AdapterKind::OpenAIResp => "openai",
            AdapterKind::Anthropic => "anthropic",
            AdapterKind::Gemini | AdapterKind::GeminiIx => "gcp.gemini",
            AdapterKind::Vertex => "gcp.vertex_ai",
            AdapterKind::Groq => "groq",
            AdapterKind::Xai => "x_ai",
            AdapterKind::DeepSeek => "deepseek",
            AdapterKind::Mistral => "mistral_ai",
            AdapterKind::Cohere => "cohere",
            AdapterKind::BedrockApi => "aws.bedrock",
            AdapterKind::Ollama | AdapterKind::OllamaCloud => "ollama",
            _ => return info,
        };
        info.provider(provider)
    }

    /// Returns whether tools are sent, and not described in the prompt.
    pub(super) fn calls_tools(&self) -> bool {
        self.options.tool_calls && self.family.takes_tools() && self.capabilities.has_tools()
    }

    /// Returns the dialect of the schemas of tools, which servers do not enforce.
    #[expect(clippy::unused_self, reason = "clients of other protocols decide by their options")]
    pub(super) const fn tool_dialect(&self) -> Dialect {
        Dialect::Plain
    }

    fn request_form(&self, request: &ModelRequest) -> RequestForm {
        let has_tools = !(request.tools.is_empty() && request.rounds.is_empty());
        let tools = has_tools && self.calls_tools();
        let format = |tools| match self.options.response_format {
            _ if request.schema.is_none() || !self.takes_format(tools) => {
                ResponseFormat::PromptOnly
            }
            ResponseFormat::JsonSchema if !self.family.takes_schema() => ResponseFormat::JsonObject,
            format => format,
        };
        RequestForm { format: format(tools), tools, format_without_tools: format(false) }
    }

    fn takes_format(&self, with_tools: bool) -> bool {
        let is_known = !with_tools || self.family.takes_format_with_tools(&self.target.model);
        is_known && self.capabilities.has_format(with_tools)
    }

    async fn with_retries(
        &self,
        prepared: &PreparedRequest<'_>,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, AttemptError> {
        let try_once = || self.try_once(prepared, sink);
        self.options.retry.run(try_once).await
    }

    async fn try_once(
        &self,
        prepared: &PreparedRequest<'_>,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, AttemptError> {
        // `genai` adds the token counts of servers, which can overflow.
        let call = AssertUnwindSafe(self.call(prepared, sink)).catch_unwind();
        let reply = call.await.unwrap_or_else(|_| {
            let message = "the crate `genai` panicked on the server's response";
            Err(AttemptError::new(ModelErrorKind::Other, message.to_owned()))
        });
        // Restarts at once, not after the delay: the text of the failed attempt is void.
        reply.inspect_err(|_| sink.into_iter().for_each(DeltaSink::restart))
    }

    async fn call(
        &self,
        prepared: &PreparedRequest<'_>,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, AttemptError> {
        let tap = Arc::new(FrameCollector::default());
        let (chat, options) =
            (prepared.chat_request(), prepared.chat_options(&tap, sink.is_some()));
        let limit = self.options.max_reply_bytes;
        let target = self.target.clone();
        let waits = Waits::new(&self.options.limits);
        let Some(sink) = sink else {
            let call = self.genai.exec_chat(target, chat, Some(&options));
            let reply = match waits.within_limit(call).await.ok_or_else(|| waits.timed_out())? {
                Ok(response) => whole::read(response, self.family, &self.secrets),
                Err(error) => whole::read_failed(error, self.family, &self.secrets),
            }?;
            let calls = reply.tool_calls.iter().map(|call| call.arguments.len());
            return if reply.text.len() + calls.sum::<usize>() > limit {
                Err(AttemptError::too_large(limit))
            } else {
                Ok(reply)
            };
        };
        let response = self.genai.exec_chat_stream(target, chat, Some(&options)).await;
        let response =
            response.map_err(|error| fault::convert_error(error, false, &self.secrets))?;
        let partial = PartialReply::new(self.family, limit, &self.secrets, sink);
        stream::read(response.stream, &tap, waits, partial).await
    }

    /// Formats the client for `Debug`, without the key.
    pub(super) fn fmt_as(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(name)
            .field("provider", &self.target.model.adapter_kind)
            .field("endpoint", &self.target.endpoint.base_url())
            .field("model", &self.target.model.model_name.as_str())
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
