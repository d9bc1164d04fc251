//! The seam between the client and the protocols.

use cot_model::{DeltaSink, ModelError, ModelReply, ModelRequest, Usage};
use cot_schema::Dialect;
use reqwest::header::{HeaderMap, HeaderName};
use serde::Serialize;
use serde_json::Value;

use super::{
    form::RequestForm, options::Options, prepared_request::PreparedRequest, whole_reply::WholeReply,
};
use crate::http::AttemptError;

/// A protocol of model servers: how requests are written, and how replies and events are read. What errors,
/// statuses and reasons of ends mean is the same for all protocols.
pub(crate) trait Protocol: Send + Sync + 'static {
    /// A reply in words, such as "a chat completion", for errors.
    const REPLY: &'static str;
    /// The path below the base URL.
    const PATH: &'static [&'static str];
    /// The members of a body that `extra` can't replace.
    const RESERVED: &'static [&'static str];
    /// The members of `extra` that servers reject in requests without tools.
    const ABOUT_TOOLS: &'static [&'static str];
    /// The objects of a body to which `extra` adds members, instead of replacing them.
    const MERGED: &'static [&'static str] = &[];
    /// Whether the effort has a newer form, which older models reject.
    const HAS_NEWER_EFFORT: bool = false;

    /// A reply as far as its stream was received.
    type Partial: PartialReply;

    /// Returns the provider behind a host, by its name in traces.
    fn provider(host: &str) -> &'static str;

    /// Returns the header that carries a key, and its value.
    fn key_header(key: &str) -> (HeaderName, String);

    /// Returns the headers of all requests besides the key.
    fn headers(&self) -> HeaderMap {
        HeaderMap::new()
    }

    /// Returns the dialect in which the schemas of tools are sent to a server with this dialect.
    fn sent_tool_dialect(dialect: Dialect) -> Dialect {
        dialect
    }

    /// Checks that the protocol can express a request.
    ///
    /// # Errors
    ///
    /// Returns the error of the call if it can't.
    fn check(request: &ModelRequest) -> Result<(), ModelError>;

    /// Returns the body of a request without the members of `extra`.
    fn body<'a>(&'a self, outgoing: &Outgoing<'a>) -> impl Serialize + 'a;

    /// Returns the usage that a whole reply reports.
    fn usage(said: &Value) -> Option<Usage>;

    /// Reads a whole reply. `content` is that of its parts before a pause.
    ///
    /// # Errors
    ///
    /// Returns an error if the reply is not in the protocol, paused, or did not end well.
    fn read(reply: &WholeReply<'_>, content: &[Value]) -> Result<ModelReply, AttemptError>;
}

/// What a protocol writes.
pub(crate) struct Outgoing<'a> {
    pub(crate) model: &'a str,
    pub(crate) prepared: &'a PreparedRequest<'a>,
    pub(crate) form: RequestForm,
    pub(crate) options: &'a Options,
    /// What the model wrote before the server paused the reply, in the protocol's blocks.
    pub(crate) content: &'a [Value],
}

impl Outgoing<'_> {
    /// Returns whether the prompt explains the format of the reply.
    pub(crate) fn is_explained(&self) -> bool {
        self.options.explain_format == Some(true) || self.prepared.schema.is_none()
    }
}

/// A reply as far as its stream was received.
pub(crate) trait PartialReply: Send + Sized {
    /// Begins a reply after the content of its parts before a pause.
    fn begin(content: &[Value]) -> Self;

    /// Reads the usage in an event, which may report an error too.
    fn count(&mut self, said: &Value);

    /// Returns the last usage that the server reported.
    fn usage(&self) -> Option<Usage>;

    /// Reads an event and passes its text and thoughts to the sink.
    ///
    /// # Errors
    ///
    /// Returns an error if the event is not in the protocol.
    fn take(&mut self, said: &Value, sink: &DeltaSink) -> Result<(), UnexpectedError>;

    /// Returns whether an event marked the end of the stream.
    fn is_done(&self) -> bool {
        false
    }

    /// Returns whether the reply has ended, so that only its usage can be missing.
    fn has_finished(&self) -> bool;

    /// Returns the bytes that count towards the limit of a reply.
    fn received_len(&self) -> usize;

    /// Puts the reply together at the end of the stream, which the server marked if `is_done`.
    ///
    /// # Errors
    ///
    /// Returns an error if the reply was cut off, paused, or did not end well.
    fn into_reply(self, is_done: bool, sink: &DeltaSink) -> Result<ModelReply, AttemptError>;
}

/// The error of an event that is not in the protocol.
#[derive(Debug)]
pub(crate) struct UnexpectedError;

impl From<serde_json::Error> for UnexpectedError {
    fn from(_: serde_json::Error) -> Self {
        Self
    }
}
