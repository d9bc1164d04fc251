//! The conversation with the server: tries, pauses, and the fall-backs for what a server does not know.

use std::fmt;

use cot_model::{DeltaSink, ModelError, ModelReply, ModelRequest};
use cot_schema::Dialect;
use reqwest::{
    Response, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE},
};

use super::{
    answer,
    credentials::Credentials,
    manner::{Learned, Manner},
    options::Options,
    question::Question,
    stream,
    wire::{self, Body},
};
use crate::http::{Failure, ResponseFormat};

const JSON: &str = "application/json";

pub(super) struct Client {
    http: reqwest::Client,
    endpoint: Url,
    model: String,
    credentials: Credentials,
    options: Options,
    learned: Learned,
}

impl Client {
    pub(super) fn new(
        http: reqwest::Client,
        endpoint: Url,
        model: String,
        credentials: Credentials,
        options: Options,
    ) -> Self {
        Self { http, endpoint, model, credentials, options, learned: Learned::default() }
    }

    /// The dialect of the schemas that are sent; where none is, any will do.
    pub(super) fn dialect(&self) -> Dialect {
        match self.options.response_format {
            ResponseFormat::JsonSchema => self.options.dialect.unwrap_or_default(),
            _ => Dialect::Plain,
        }
    }

    /// Asks until there is a reply, or no hope of one. With a sink, the reply is streamed.
    pub(super) async fn ask(
        &self,
        request: &ModelRequest,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, ModelError> {
        let format = self.options.response_format;
        let mut manner = self.learned.manner(request, format, sink.is_some());
        let question = Question::new(request, manner.format, self.dialect())?;
        let mut complaints = Vec::new();
        loop {
            let try_once = || self.try_once(&question, manner, sink);
            let failure = match self.options.patience.try_repeatedly(try_once).await {
                Ok(reply) => {
                    self.learned.remember(&complaints);
                    return Ok(reply);
                }
                Err(failure) => failure,
            };
            let complaint = failure.complaint;
            let Some(next) = complaint.and_then(|complaint| manner.heeding(complaint)) else {
                return Err(failure.into_error());
            };
            complaints.extend(complaint);
            manner = next;
        }
    }

    async fn try_once(
        &self,
        question: &Question<'_>,
        manner: Manner,
        sink: Option<&DeltaSink>,
    ) -> Result<ModelReply, Failure> {
        let response = self.send(question, manner).await?;
        let Some(sink) = sink else {
            return self.read_whole(response).await;
        };
        let reply = if content_type(&response).is_some_and(|came| came.is("text/event-stream")) {
            let limit = self.options.max_body_bytes;
            stream::read(response, limit, self.credentials.secrets(), sink).await
        } else {
            self.read_whole(response).await.inspect(|reply| sink.push(&reply.text))
        };
        // At once, and not only after the pause: what came of it is void.
        reply.inspect_err(|_| sink.restart())
    }

    /// Sends the request. The response has a status that is a success.
    async fn send(&self, question: &Question<'_>, manner: Manner) -> Result<Response, Failure> {
        let body = Body::new(&self.model, question, manner, self.options.explain_format);
        let accepted = if manner.streams() { "text/event-stream, application/json" } else { JSON };
        let mut post = self.http.post(self.endpoint.clone()).json(&body).header(ACCEPT, accepted);
        if let Some(authorization) = self.credentials.header() {
            post = post.header(AUTHORIZATION, authorization);
        }
        let response = post.send().await.map_err(Failure::transport)?;
        if !response.status().is_success() {
            return Err(answer::wrong_status(
                response,
                self.credentials.secrets(),
                manner.streams(),
            )
            .await);
        }
        Ok(response)
    }

    // A missing content type is forgiven, if the body is right.
    async fn read_whole(&self, response: Response) -> Result<ModelReply, Failure> {
        if let Some(came) = content_type(&response).filter(|came| !came.is_json()) {
            return Err(
                answer::wrong_content_type(&came.0, response, self.credentials.secrets()).await
            );
        }
        wire::read_reply(&self.read_body(response).await?, self.credentials.secrets())
    }

    async fn read_body(&self, mut response: Response) -> Result<Vec<u8>, Failure> {
        let limit = self.options.max_body_bytes;
        let announced = response.content_length().unwrap_or_default();
        if announced > limit as u64 {
            return Err(Failure::too_large(limit));
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(Failure::transport)? {
            if body.len() + chunk.len() > limit {
                return Err(Failure::too_large(limit));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    /// `Debug` without secrets: the user, the query and the key are left out.
    pub(super) fn fmt_as(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let origin = self.endpoint.origin().ascii_serialization();
        f.debug_struct(name)
            .field("endpoint", &format_args!("{origin}{}", self.endpoint.path()))
            .field("model", &self.model)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// What a server calls its answer, as it stands there: a secret in it has to stay one that can be
/// found.
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
