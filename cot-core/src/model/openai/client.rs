//! The conversation with the server: tries, pauses, and the fall-backs for what a server does not know.

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
    wire::{self, Body, Manner},
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
    /// The server has turned out to want `max_completion_tokens`.
    newer_limit: AtomicBool,
}

impl Client {
    pub(super) fn new(
        http: reqwest::Client,
        endpoint: Url,
        model: String,
        credentials: Credentials,
        options: Options,
    ) -> Self {
        let [prompt_only, newer_limit] = [AtomicBool::new(false), AtomicBool::new(false)];
        Self { http, endpoint, model, credentials, options, prompt_only, newer_limit }
    }

    pub(super) async fn ask(&self, request: &ModelRequest) -> Result<ModelReply, ModelError> {
        let mut manner = self.manner_for(request);
        let mut complaints = Vec::new();
        loop {
            let failure = match self.try_repeatedly(request, manner).await {
                Ok(reply) => {
                    self.remember(&complaints);
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

    // What a request lacks counts as heeded: another way to put it would change nothing.
    fn manner_for(&self, request: &ModelRequest) -> Manner {
        let prompt_only = request.schema.is_none() || self.prompt_only.load(Ordering::Relaxed);
        let asked = self.options.response_format;
        let format = if prompt_only { ResponseFormat::PromptOnly } else { asked };
        let newer_limit = request.max_tokens.is_none() || self.newer_limit.load(Ordering::Relaxed);
        Manner { format, newer_limit }
    }

    // Only what has been proven: that the same request works once these are heeded.
    fn remember(&self, complaints: &[Complaint]) {
        for complaint in complaints {
            match complaint {
                Complaint::Format => self.prompt_only.store(true, Ordering::Relaxed),
                Complaint::Limit => self.newer_limit.store(true, Ordering::Relaxed),
                Complaint::Schema => {}
            }
        }
    }

    async fn try_repeatedly(
        &self,
        request: &ModelRequest,
        manner: Manner,
    ) -> Result<ModelReply, Failure> {
        let mut tries = 0;
        let try_once = || {
            tries += 1;
            self.try_once(request, manner)
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
        manner: Manner,
    ) -> Result<ModelReply, Failure> {
        let body = Body::new(&self.model, request, manner, self.options.explain_format);
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
    // In lower case only to compare it: a secret in it has to stay one that can be found.
    let essence = text.split(';').next().unwrap_or_default().trim();
    let lower = essence.to_ascii_lowercase();
    let json = lower == "application/json" || lower.ends_with("+json");
    (!json).then(|| essence.to_owned())
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
