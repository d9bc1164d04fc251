//! The conversation with the server: tries, pauses, and the fall-back of the response format.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use backon::{ExponentialBuilder, Retryable};
use reqwest::{
    Response, Url,
    header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE},
};

use super::{
    ResponseFormat,
    builder::Options,
    credentials::Credentials,
    failure::{Complaint, Failure},
    wire::{self, Body},
};
use crate::model::{ModelError, ModelReply, ModelRequest};

pub(super) struct Client {
    http: reqwest::Client,
    endpoint: Url,
    model: String,
    credentials: Credentials,
    options: Options,
    /// The server has turned out not to know the response format.
    prompt_only: AtomicBool,
}

impl Client {
    pub(super) fn new(
        http: reqwest::Client,
        endpoint: Url,
        model: String,
        credentials: Credentials,
        options: Options,
    ) -> Self {
        let prompt_only = AtomicBool::new(false);
        Self { http, endpoint, model, credentials, options, prompt_only }
    }

    pub(super) async fn ask(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let format = self.format_for(request);
        let failure = match self.try_repeatedly(request, format).await {
            Ok(reply) => return Ok(reply),
            Err(failure) => failure,
        };
        match failure.complaint {
            Some(complaint) if format != ResponseFormat::PromptOnly => {
                self.ask_without_format(request, complaint).await
            }
            _ => Err(failure.into_error()),
        }
    }

    // Remembers only what has been proven: that the same request works without the format.
    async fn ask_without_format(
        &self,
        request: &ModelRequest,
        complaint: Complaint,
    ) -> Result<ModelReply, ModelError> {
        let reply = self
            .try_repeatedly(request, ResponseFormat::PromptOnly)
            .await
            .map_err(Failure::into_error)?;
        if complaint == Complaint::Format {
            self.prompt_only.store(true, Ordering::Relaxed);
        }
        Ok(reply)
    }

    fn format_for(&self, request: &ModelRequest) -> ResponseFormat {
        if request.schema.is_none() || self.prompt_only.load(Ordering::Relaxed) {
            return ResponseFormat::PromptOnly;
        }
        self.options.response_format
    }

    async fn try_repeatedly(
        &self,
        request: &ModelRequest,
        format: ResponseFormat,
    ) -> Result<ModelReply, Failure> {
        let mut tries = 0;
        let try_once = || {
            tries += 1;
            self.try_once(request, format)
        };
        try_once
            .retry(self.pauses())
            .when(Failure::is_retryable)
            .adjust(|failure, pause| {
                polite(pause?, failure.retry_after(), self.options.max_retry_after)
            })
            .await
            .map_err(|failure| failure.after(tries))
    }

    fn pauses(&self) -> ExponentialBuilder {
        ExponentialBuilder::new()
            .with_min_delay(self.options.first_pause)
            .with_max_delay(self.options.longest_pause)
            .with_max_times(self.options.max_retries as usize)
            .with_jitter()
    }

    async fn try_once(
        &self,
        request: &ModelRequest,
        format: ResponseFormat,
    ) -> Result<ModelReply, Failure> {
        let body = Body::new(&self.model, request, format, self.options.explain_format);
        let mut post = self.http.post(self.endpoint.clone()).json(&body);
        post = post.header(ACCEPT, "application/json");
        if let Some(authorization) = self.credentials.header() {
            post = post.header(AUTHORIZATION, authorization);
        }
        let response = post.send().await.map_err(Failure::transport)?;
        if !response.status().is_success() {
            return Err(Failure::status(response, &self.credentials).await);
        }
        if let Some(came) = foreign_content_type(&response) {
            return Err(Failure::content_type(&came, response, &self.credentials).await);
        }
        wire::read_reply(&self.read_body(response).await?, &self.credentials)
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

// Coming back sooner than the server asks would be rude, so too long a wait is given up.
fn polite(pause: Duration, asked: Option<Duration>, longest: Duration) -> Option<Duration> {
    let asked = asked.unwrap_or_default();
    (asked <= longest).then(|| pause.max(asked))
}

// A missing content type is forgiven, if the body is right.
fn foreign_content_type(response: &Response) -> Option<String> {
    let value = response.headers().get(CONTENT_TYPE)?;
    let text = String::from_utf8_lossy(value.as_bytes());
    let essence = text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let json = essence == "application/json" || essence.ends_with("+json");
    (!json).then_some(essence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_as_long_as_the_server_asks() {
        let seconds = Duration::from_secs;
        let pause = |asked| polite(seconds(2), asked, seconds(60));
        assert_eq!(pause(None), Some(seconds(2)));
        assert_eq!(pause(Some(seconds(1))), Some(seconds(2)));
        assert_eq!(pause(Some(seconds(60))), Some(seconds(60)));
        assert_eq!(pause(Some(seconds(61))), None);
    }
}
