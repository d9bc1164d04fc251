//! The client: attempts, delays, and the fallbacks for features that a server does not support.

use std::fmt;

use cot_model::{AcceptedMedia, DeltaSink, ModelError, ModelInfo, ModelReply, ModelRequest};
use cot_schema::Dialect;
use reqwest::{RequestBuilder, Response, Url, header::ACCEPT};

use super::{
    body::Body,
    credentials::Credentials,
    form::{RequestForm, ServerCapabilities},
    options::Options,
    prepared_request::{self, PreparedRequest},
    protocol::{Outgoing, Protocol},
    response::{self, ContentType, JSON},
    stream,
};
use crate::http::{AttemptError, Continuation, Issuer, ResponseFormat, Waits, trace_headers};

/// The client of one model.
pub(crate) struct Client<P> {
    http: reqwest::Client,
    endpoint: Url,
    model: String,
    issuer: Issuer,
    credentials: Credentials,
    options: Options,
    capabilities: ServerCapabilities,
    protocol: P,
}

impl<P: Protocol> Client<P> {
    pub(super) fn new(
        http: reqwest::Client,
        endpoint: Url,
        model: String,
        credentials: Credentials,
        options: Options,
        protocol: P,
    ) -> Self {
        let issuer = Issuer::new(&endpoint, &model);
        let capabilities = ServerCapabilities::default();
        Self { http, endpoint, model, issuer, credentials, options, capabilities, protocol }
    }

    /// Returns the dialect of the schemas that are sent; [`Dialect::Plain`] if none are sent.
    pub(crate) fn dialect(&self) -> Dialect {
        match self.options.response_format {
            ResponseFormat::JsonSchema => self.options.dialect.unwrap_or_default(),
            _ => Dialect::Plain,
        }
    }

    /// Returns the images and documents that the model accepts.
    pub(crate) fn accepted_media(&self) -> AcceptedMedia {
        self.options.accepts.unwrap_or_default()
    }

    /// Returns what is known of the model.
    pub(crate) fn info(&self) -> ModelInfo<'_> {
        let host = self.endpoint.host_str().unwrap_or_default();
        let port = self.endpoint.port_or_known_default().unwrap_or_default();
        ModelInfo::new().provider(P::provider(host)).model(&self.model).address(host, port)
    }

    /// Returns whether tools are sent, and not described in the prompt.
    pub(crate) fn calls_tools(&self) -> bool {
        self.capabilities.calls_tools(&self.options)
    }

    /// Returns the dialect in which tools have to be expressible. The strict one is none: tools that it can't express
    /// are sent without `strict`.
    pub(crate) fn tool_dialect(&self) -> Dialect {
        match self.sent_dialects().1 {
            Dialect::OpenAiStrict => Dialect::Plain,
            dialect => dialect,
        }
    }

    /// Returns the dialects in which the schemas of replies and of tools are sent.
    fn sent_dialects(&self) -> (Dialect, Dialect) {
        let dialect = self.options.dialect.unwrap_or_default();
        (dialect, P::sent_tool_dialect(dialect))
    }

    /// Sends a request, with retries, fallbacks, and the requests that continue a paused reply. With a sink, the
    /// reply is streamed.
    pub(crate) async fn ask(
        &self,
        request: &ModelRequest,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, ModelError> {
        prepared_request::check(request, self.accepted_media(), P::RESERVED)?;
        P::check(request)?;
        let request = self.issuer.without_foreign_data(request);
        let features = (sink.is_some(), P::HAS_NEWER_EFFORT);
        let mut form = self.capabilities.request_form(&request, &self.options, features);
        let (mut rejections, mut so_far) = (Vec::new(), Continuation::default());
        loop {
            let request = request.in_form_for(form.tools);
            let (dialect, tool_dialect) = self.sent_dialects();
            let prepared = PreparedRequest::new(&request, form.format, dialect, tool_dialect)?;
            let try_once = || self.try_once(&prepared, form, &so_far, sink);
            let mut failure = match self.options.retry.run(try_once).await {
                Ok(reply) => {
                    self.capabilities.record(&rejections);
                    return Ok(self.issuer.sign(so_far.complete(reply)));
                }
                Err(failure) => failure,
            };
            if so_far.take(&mut failure) {
                continue;
            }
            let rejection = failure.rejection.map(|rejection| form.rejected(rejection));
            let Some(next) = rejection.and_then(|rejection| form.without(rejection)) else {
                sink.into_iter().for_each(DeltaSink::restart);
                return so_far.fail(failure).into_result();
            };
            rejections.extend(rejection);
            form = next;
        }
    }

    async fn try_once(
        &self,
        prepared: &PreparedRequest<'_>,
        form: RequestForm,
        so_far: &Continuation,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, AttemptError> {
        let waits = Waits::new(&self.options.limits);
        let response = self.send(prepared, form, so_far, &waits).await?;
        let reply = self.read(response, waits, so_far, sink).await?;
        // Without tools there is nothing to call.
        Ok(if form.tools { reply } else { reply.tool_calls([]) })
    }

    async fn read(
        &self,
        response: Response,
        waits: Waits<'_>,
        so_far: &Continuation,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, AttemptError> {
        let Some(sink) = sink else {
            return self.read_whole(response, waits, so_far).await;
        };
        let reply = if ContentType::read(&response).is_some_and(|it| it.is("text/event-stream")) {
            let to = (self.credentials.secrets(), sink);
            let limit = self.options.max_body_bytes;
            stream::read::<P>(response, waits, limit, to, so_far.content()).await
        } else {
            let reply = self.read_whole(response, waits, so_far).await;
            reply.inspect(|reply| so_far.push_rest(&reply.text, sink)).inspect_err(|failure| {
                failure.pause.iter().for_each(|pause| so_far.push_rest(&pause.text, sink));
            })
        };
        // Restarts at once, not after the delay: the text of the failed attempt is void.
        reply.inspect_err(|failure| {
            if failure.pause.is_none() {
                so_far.restart(sink);
            }
        })
    }

    /// Sends the request. Returns only responses with a success status.
    async fn send(
        &self,
        prepared: &PreparedRequest<'_>,
        form: RequestForm,
        so_far: &Continuation,
        waits: &Waits<'_>,
    ) -> Result<Response, AttemptError> {
        let post = self.post(prepared, form, so_far);
        let response = waits.next(post.send()).await?;
        if !response.status().is_success() {
            let secrets = self.credentials.secrets();
            return Err(response::wrong_status(response, *waits, secrets, form.features()).await);
        }
        Ok(response)
    }

    fn post(
        &self,
        prepared: &PreparedRequest<'_>,
        form: RequestForm,
        so_far: &Continuation,
    ) -> RequestBuilder {
        let (model, options, content) = (&*self.model, &self.options, so_far.content());
        let outgoing = Outgoing { model, prepared, form, options, content };
        let (extra, has_tools) = (&prepared.request.settings.extra, !prepared.tools.is_empty());
        let body = Body::<P, _>::new(self.protocol.body(&outgoing), extra, has_tools);
        let accepted = if form.streams() { "text/event-stream, application/json" } else { JSON };
        let post = self.http.post(self.endpoint.clone()).json(&body).header(ACCEPT, accepted);
        let post = post.headers(self.protocol.headers());
        let key = self.credentials.header().into_iter();
        let post = key.fold(post, |post, (name, value)| post.header(name, value));
        trace_headers().into_iter().fold(post, |post, (name, value)| post.header(name, value))
    }

    // Accepts a missing content type if the body is valid.
    async fn read_whole(
        &self,
        response: Response,
        waits: Waits<'_>,
        so_far: &Continuation,
    ) -> Result<ModelReply, AttemptError> {
        let secrets = self.credentials.secrets();
        if let Some(came) = ContentType::read(&response).filter(|came| !came.is_json()) {
            return Err(response::wrong_content_type(&came, response, waits, secrets).await);
        }
        let body = response::read_body(response, waits, self.options.max_body_bytes).await?;
        response::read_reply::<P>(&body, secrets, so_far.content())
    }

    /// Formats the client for `Debug`, without the user, the query and the key.
    pub(crate) fn fmt_as(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = self.endpoint.origin().ascii_serialization();
        f.debug_struct(name)
            .field("endpoint", &format_args!("{origin}{}", self.endpoint.path()))
            .field("model", &self.model)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
