//! The client: attempts, delays, and the fallbacks for features that a server does not support.

use std::fmt;

use cot_model::{AcceptedMedia, DeltaSink, ModelError, ModelInfo, ModelReply, ModelRequest};
use cot_schema::Dialect;
use reqwest::{
    Response, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE},
};

use super::{
    answer,
    capabilities::{RequestForm, ServerCapabilities},
    credentials::Credentials,
    options::Options,
    prepared_request::{self, PreparedRequest},
    stream,
    wire::{self, Body},
};
use crate::http::{AttemptError, ResponseFormat, Waits, trace_headers};

const JSON: &str = "application/json";

pub(super) struct Client {
    http: reqwest::Client,
    endpoint: Url,
    model: String,
    credentials: Credentials,
    options: Options,
    capabilities: ServerCapabilities,
}

impl Client {
    pub(super) fn new(
        http: reqwest::Client,
        endpoint: Url,
        model: String,
        credentials: Credentials,
        options: Options,
    ) -> Self {
        Self {
            http,
            endpoint,
            model,
            credentials,
            options,
            capabilities: ServerCapabilities::default(),
        }
    }

    /// Returns the dialect of the schemas that are sent; [`Dialect::Plain`] if none are sent.
    pub(super) fn dialect(&self) -> Dialect {
        match self.options.response_format {
            ResponseFormat::JsonSchema => self.options.dialect.unwrap_or_default(),
            _ => Dialect::Plain,
        }
    }

    /// Returns the images and documents that the model accepts.
    pub(super) fn accepted_media(&self) -> AcceptedMedia {
        self.options.accepts.unwrap_or_default()
    }

    /// Returns what is known of the model. A server that is not known counts as one of OpenAI's protocol.
    pub(super) fn info(&self) -> ModelInfo<'_> {
        let host = self.endpoint.host_str().unwrap_or_default();
        let provider = match host {
            "api.deepseek.com" => "deepseek",
            "api.groq.com" => "groq",
            "api.mistral.ai" => "mistral_ai",
            "api.perplexity.ai" => "perplexity",
            "api.x.ai" => "x_ai",
            _ if host.ends_with(".openai.azure.com") => "azure.ai.openai",
            _ => "openai",
        };
        let port = self.endpoint.port_or_known_default().unwrap_or_default();
        ModelInfo::new().provider(provider).model(&self.model).address(host, port)
    }

    /// Returns whether tools are sent, and not described in the prompt.
    pub(super) fn calls_tools(&self) -> bool {
        self.capabilities.calls_tools(&self.options)
    }

    /// Returns the dialect in which tools have to be expressible. The strict one is none: tools that it can't express
    /// are sent without `strict`.
    pub(super) fn tool_dialect(&self) -> Dialect {
        match self.options.dialect.unwrap_or_default() {
            Dialect::OpenAiStrict => Dialect::Plain,
            dialect => dialect,
        }
    }

    /// Sends a request, with retries and fallbacks. With a sink, the reply is streamed.
    pub(super) async fn ask(
        &self,
        request: &ModelRequest,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, ModelError> {
        prepared_request::check(request, self.accepted_media())?;
        let mut form = self.capabilities.request_form(request, &self.options, sink.is_some());
        let mut rejections = Vec::new();
        loop {
            let request = request.in_form_for(form.tools);
            let prepared = PreparedRequest::new(&request, form.format, self.options.dialect)?;
            let try_once = || self.try_once(&prepared, form, sink);
            let failure = match self.options.retry.run(try_once).await {
                Ok(reply) => {
                    self.capabilities.record(&rejections);
                    return Ok(reply);
                }
                Err(failure) => failure,
            };
            let rejection = failure.rejection;
            let Some(next) = rejection.and_then(|rejection| form.without(rejection)) else {
                return failure.into_result();
            };
            rejections.extend(rejection);
            form = next;
        }
    }

    async fn try_once(
        &self,
        prepared: &PreparedRequest<'_>,
        form: RequestForm,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, AttemptError> {
        let waits = Waits::new(&self.options.limits);
        let response = self.send(prepared, form, &waits).await?;
        let reply = self.read(response, waits, sink).await?;
        // Without tools there is nothing to call.
        Ok(if form.tools { reply } else { reply.tool_calls([]) })
    }

    async fn read(
        &self,
        response: Response,
        waits: Waits<'_>,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, AttemptError> {
        let Some(sink) = sink else {
            return self.read_whole(response, waits).await;
        };
        let reply = if content_type(&response).is_some_and(|came| came.is("text/event-stream")) {
            let limit = self.options.max_body_bytes;
            stream::read(response, waits, limit, self.credentials.secrets(), sink).await
        } else {
            self.read_whole(response, waits).await.inspect(|reply| sink.push(&reply.text))
        };
        // Restarts at once, not after the delay: the text of the failed attempt is void.
        reply.inspect_err(|_| sink.restart())
    }

    /// Sends the request. Returns only responses with a success status.
    async fn send(
        &self,
        prepared: &PreparedRequest<'_>,
        form: RequestForm,
        waits: &Waits<'_>,
    ) -> Result<Response, AttemptError> {
        let body = Body::new(&self.model, prepared, form, &self.options);
        let accepted = if form.streams() { "text/event-stream, application/json" } else { JSON };
        let mut post = self.http.post(self.endpoint.clone()).json(&body).header(ACCEPT, accepted);
        if let Some(authorization) = self.credentials.header() {
            post = post.header(AUTHORIZATION, authorization);
        }
        for (name, value) in trace_headers() {
            post = post.header(name, value);
        }
        let response = waits.next(post.send()).await?;
        if !response.status().is_success() {
            let secrets = self.credentials.secrets();
            return Err(answer::wrong_status(response, *waits, secrets, form.features()).await);
        }
        Ok(response)
    }

    // Accepts a missing content type if the body is valid.
    async fn read_whole(
        &self,
        response: Response,
        waits: Waits<'_>,
    ) -> Result<ModelReply, AttemptError> {
        if let Some(came) = content_type(&response).filter(|came| !came.is_json()) {
            let secrets = self.credentials.secrets();
            return Err(answer::wrong_content_type(&came.0, response, waits, secrets).await);
        }
        wire::read_reply(&self.read_body(response, waits).await?, self.credentials.secrets())
    }

    async fn read_body(
        &self,
        mut response: Response,
        mut waits: Waits<'_>,
    ) -> Result<Vec<u8>, AttemptError> {
        let limit = self.options.max_body_bytes;
        let announced = response.content_length().unwrap_or_default();
        if announced > limit as u64 {
            return Err(AttemptError::too_large(limit));
        }
        let mut body = Vec::new();
        while let Some(chunk) = waits.next(response.chunk()).await? {
            waits.begin();
            if body.len() + chunk.len() > limit {
                return Err(AttemptError::too_large(limit));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// Formats the client for `Debug`, without the user, the query and the key.
    pub(super) fn fmt_as(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = self.endpoint.origin().ascii_serialization();
        f.debug_struct(name)
            .field("endpoint", &format_args!("{origin}{}", self.endpoint.path()))
            .field("model", &self.model)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// The content type of a response, unchanged, so that secrets in it are found and redacted.
struct ContentType(String);

fn content_type(response: &Response) -> Option<ContentType> {
    let value = response.headers().get(CONTENT_TYPE)?;
    let text = String::from_utf8_lossy(value.as_bytes());
    let essence = text.split(';').next().unwrap_or_default().trim();
    Some(ContentType(essence.to_owned()))
}

impl ContentType {
    fn is(&self, essence: &str) -> bool {
        self.0.eq_ignore_ascii_case(essence)
    }

    fn is_json(&self) -> bool {
        self.is(JSON) || self.0.to_ascii_lowercase().ends_with("+json")
    }
}
