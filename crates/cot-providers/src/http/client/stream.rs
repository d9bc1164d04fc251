//! Reading of streamed replies.

use cot_model::{DeltaSink, ModelReply};
use reqwest::Response;
use serde_json::Value;

use super::{
    protocol::{PartialReply, Protocol},
    sse::{Event, EventParser},
};
use crate::http::{AttemptError, ReplyNames, Secrets, Waits, reported_error};

/// What a stream ends with where servers mark its end with a text.
const DONE: &[u8] = b"[DONE]";

/// Reads a streamed reply to its end and passes its text and thoughts to the sink. `content` is that of its parts
/// before a pause.
///
/// At most `limit` bytes are buffered. The JSON around the text in each event does not count, since it
/// is many times longer than the text.
pub(super) async fn read<P: Protocol>(
    response: Response,
    waits: Waits<'_>,
    limit: usize,
    (secrets, sink): (&Secrets, &DeltaSink),
    content: &[Value],
) -> Result<ModelReply, AttemptError> {
    let partial = P::Partial::begin(content);
    let names = ReplyNames::default();
    let mut stream = Stream::<P> { partial, names, is_done: false, secrets, sink };
    let read = stream.read_events(response, waits, limit).await;
    let usage = stream.partial.usage();
    let reply = read.and_then(|()| stream.partial.into_reply(stream.is_done, sink));
    let names = stream.names;
    reply.map(|reply| names.add_to(reply)).map_err(|failure| failure.with_usage(usage))
}

/// A streamed reply as far as it was received.
struct Stream<'a, P: Protocol> {
    partial: P::Partial,
    names: ReplyNames,
    /// Whether the server marked the end of the stream.
    is_done: bool,
    secrets: &'a Secrets,
    sink: &'a DeltaSink,
}

impl<P: Protocol> Stream<'_, P> {
    /// Reads the events of a stream up to the end of the reply.
    async fn read_events(
        &mut self,
        mut response: Response,
        mut waits: Waits<'_>,
        limit: usize,
    ) -> Result<(), AttemptError> {
        let mut events = EventParser::default();
        loop {
            let bytes = match waits.next(response.chunk()).await {
                Ok(Some(bytes)) => bytes,
                Ok(None) => return self.take_rest(events.rest()),
                // Only the usage can be missing.
                Err(_) if self.partial.has_finished() => return Ok(()),
                Err(failure) => return Err(failure),
            };
            waits.begin();
            for event in events.feed(&bytes) {
                self.take(&event)?;
                if self.is_done {
                    return Ok(());
                }
            }
            if events.buffered_len() + self.partial.received_len() > limit {
                return Err(AttemptError::too_large(limit));
            }
        }
    }

    // Some servers never mark the end, nor end the last event; an incomplete event is ignored.
    fn take_rest(&mut self, rest: Option<Event>) -> Result<(), AttemptError> {
        let is_whole = |event: &Event| match event {
            Event::Data(data) => serde_json::from_slice::<Value>(data).is_ok() || data == DONE,
            Event::Error(_) => true,
        };
        rest.filter(is_whole).map_or(Ok(()), |event| self.take(&event))
    }

    fn take(&mut self, event: &Event) -> Result<(), AttemptError> {
        let (Event::Data(data) | Event::Error(data)) = event;
        let data = data.trim_ascii();
        if data.is_empty() || data == DONE {
            self.is_done |= !data.is_empty();
            return Ok(());
        }
        let said = serde_json::from_slice::<Value>(data);
        if let Event::Error(_) = event {
            let said = said.unwrap_or_else(|_| String::from_utf8_lossy(data).into());
            let error = reported_error(&said).unwrap_or(&said);
            return Err(AttemptError::reported(error, self.secrets));
        }
        let said = said.map_err(|_| self.unexpected(data))?;
        self.partial.count(&said);
        if let Some(error) = reported_error(&said) {
            return Err(AttemptError::reported(error, self.secrets));
        }
        self.partial.take(&said, self.sink).map_err(|_| self.unexpected(data))?;
        self.names.read(&said);
        self.is_done |= self.partial.is_done();
        Ok(())
    }

    fn unexpected(&self, data: &[u8]) -> AttemptError {
        let came = self.secrets.quote(&String::from_utf8_lossy(data));
        AttemptError::protocol(format!("expected a piece of {}, got: {came}", P::REPLY))
    }
}
