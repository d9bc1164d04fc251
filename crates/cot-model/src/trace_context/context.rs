//! The context of a trace.

use std::{fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

use crate::trace_context::{error::ParseTraceContextError, state};

/// The context of a distributed trace, by [W3C Trace Context](https://www.w3.org/TR/trace-context/): the trace,
/// the span in it that causes further work, and the values of vendors.
///
/// Its text, by `Display` and [`FromStr`], is the header `traceparent`; [`trace_state`](Self::trace_state) is the
/// header `tracestate`. Clients of models and of MCP servers send the [current](Self::current) context with
/// their requests, so that the spans of a server are parts of the trace.
///
/// ```
/// use cot_core::model::TraceContext;
///
/// let text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
/// let context = TraceContext::from_headers(text, Some("vendor=value"))?;
/// assert!(context.is_sampled());
/// assert_eq!(context.to_string(), text);
/// assert_eq!(TraceContext::current(), None);
/// context.scope(|| assert_eq!(TraceContext::current().as_ref(), Some(&context)));
/// # Ok::<_, cot_core::model::ParseTraceContextError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Headers", into = "Headers")]
pub struct TraceContext {
    trace_id: [u8; 16],
    span_id: [u8; 8],
    flags: u8,
    /// The values of vendors, if there are any.
    state: Option<Arc<str>>,
}

/// A context as its two headers.
#[derive(Serialize, Deserialize)]
struct Headers {
    traceparent: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tracestate: Option<String>,
}

/// The flag of a trace that is recorded.
const SAMPLED: u8 = 0x01;
/// The flag of a trace with a random id.
const RANDOM: u8 = 0x02;
/// The length of a `traceparent` of version 0. Later versions append to it.
const LENGTH: usize = 55;

impl TraceContext {
    /// Creates the context of a span; `None` if an id is zero, which the standard forbids.
    #[must_use]
    pub fn new(trace_id: [u8; 16], span_id: [u8; 8]) -> Option<Self> {
        let is_valid = trace_id != [0; 16] && span_id != [0; 8];
        is_valid.then_some(Self { trace_id, span_id, flags: 0, state: None })
    }

    /// Reads the headers of a request. A `tracestate` that is not valid is ignored, as the standard requires;
    /// several of them are joined with commas.
    ///
    /// # Errors
    ///
    /// If `traceparent` is not valid.
    pub fn from_headers<'a>(
        traceparent: &str,
        tracestate: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, ParseTraceContextError> {
        let context: Self = traceparent.parse()?;
        let lists: Vec<&str> = tracestate.into_iter().collect();
        Ok(context.clone().with_trace_state(&lists.join(",")).unwrap_or(context))
    }

    /// Sets the values of vendors, by the rules of the header `tracestate`. Of a text of more than 512 bytes, the
    /// members above 128 bytes are left out, then the last ones.
    ///
    /// # Errors
    ///
    /// If the text is not valid.
    pub fn with_trace_state(mut self, text: &str) -> Result<Self, ParseTraceContextError> {
        let state = state::normalize(text).ok_or(ParseTraceContextError::TraceState)?;
        self.state = (!state.is_empty()).then(|| state.into());
        Ok(self)
    }

    /// Sets whether the caller records the trace.
    #[must_use]
    pub const fn sampled(mut self, is_sampled: bool) -> Self {
        self.flags = if is_sampled { self.flags | SAMPLED } else { self.flags & !SAMPLED };
        self
    }

    /// Returns the id of the trace.
    #[must_use]
    pub const fn trace_id(&self) -> [u8; 16] {
        self.trace_id
    }

    /// Returns the id of the span that causes further work.
    #[must_use]
    pub const fn span_id(&self) -> [u8; 8] {
        self.span_id
    }

    /// Returns the flags that this version of the standard knows.
    #[must_use]
    pub const fn flags(&self) -> u8 {
        self.flags
    }

    /// Returns whether the caller records the trace.
    #[must_use]
    pub const fn is_sampled(&self) -> bool {
        self.flags & SAMPLED != 0
    }

    /// Returns the values of vendors, as in the header `tracestate`; `None` if there are none.
    #[must_use]
    pub fn trace_state(&self) -> Option<&str> {
        self.state.as_deref()
    }
}

/// The header `traceparent`, of version 0.
impl fmt::Display for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (trace, span) = (u128::from_be_bytes(self.trace_id), u64::from_be_bytes(self.span_id));
        write!(f, "00-{trace:032x}-{span:016x}-{:02x}", self.flags)
    }
}

impl fmt::Debug for TraceContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TraceContext({self}")?;
        self.state.iter().try_for_each(|state| write!(f, "; {state}"))?;
        f.write_str(")")
    }
}

/// Reads the header `traceparent`. Of a later version than 0, the fields of version 0 are read.
impl FromStr for TraceContext {
    type Err = ParseTraceContextError;

    fn from_str(text: &str) -> Result<Self, ParseTraceContextError> {
        parse(text.as_bytes()).ok_or(ParseTraceContextError::TraceParent)
    }
}

fn parse(text: &[u8]) -> Option<TraceContext> {
    let (fields, rest) = text.split_at_checked(LENGTH)?;
    let version = hex::<1>(&fields[..2])?[0];
    let is_whole = match version {
        0 => rest.is_empty(),
        0xff => false,
        _ => rest.first().is_none_or(|next| *next == b'-'),
    };
    let has_dashes = [2, 35, 52].into_iter().all(|at| fields[at] == b'-');
    if !is_whole || !has_dashes {
        return None;
    }
    let context = TraceContext::new(hex(&fields[3..35])?, hex(&fields[36..52])?)?;
    let flags = hex::<1>(&fields[53..])?[0] & (SAMPLED | RANDOM);
    Some(TraceContext { flags, ..context })
}

/// Reads digits in lower case.
fn hex<const BYTES: usize>(digits: &[u8]) -> Option<[u8; BYTES]> {
    let mut bytes = [0; BYTES];
    let (pairs, _) = digits.as_chunks::<2>();
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = digit(*high)? << 4 | digit(*low)?;
    }
    Some(bytes)
}

const fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    }
}

impl From<TraceContext> for Headers {
    fn from(context: TraceContext) -> Self {
        let tracestate = context.trace_state().map(str::to_owned);
        Self { traceparent: context.to_string(), tracestate }
    }
}

impl TryFrom<Headers> for TraceContext {
    type Error = ParseTraceContextError;

    fn try_from(headers: Headers) -> Result<Self, ParseTraceContextError> {
        Self::from_headers(&headers.traceparent, headers.tracestate.as_deref())
    }
}
