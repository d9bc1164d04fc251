//! Conversion between records and rows of the journal.

use std::{error::Error, sync::Arc};

use cot_engine::{CallKey, Event};
use cot_model::{BlobSet, ModelReply, PromptSegments, internal::refer_to_blobs};
use serde::Serialize;

use crate::{
    chain::ContentHash,
    record::{CallInfo, EventRecord, Record},
    stored::number::{millis, time},
};

/// The parts of a record that are not in a column of their own, and the hash of all but its prompt.
#[derive(Debug)]
pub struct Row {
    /// The key of the call that an event answers.
    pub key: Option<String>,
    /// The marks of trust of a model call, as JSON.
    pub marks: Option<String>,
    /// All else that the entry says, as JSON.
    pub body: String,
    /// The hash of all but the prompt.
    pub hash: ContentHash,
    /// The approximate number of bytes to write.
    pub bytes: usize,
}

impl Row {
    /// Serializes a record.
    ///
    /// # Errors
    ///
    /// Returns an error if the record can't be written as JSON.
    pub fn new(record: &Record) -> Result<Self, serde_json::Error> {
        let body = match record {
            Record::Submitted(submitted) => serde_json::to_string(submitted)?,
            Record::Begun(begun) => without_blobs(begun)?,
            Record::Step(step) => without_blobs(step)?,
            Record::Event(event) => serde_json::to_string(&without_reply(&event.event))?,
        };
        let key = asked(record).map(|asked| asked.key.to_string());
        let marks = asked(record).and_then(|asked| asked.marks.as_ref());
        let marks = marks.map(serde_json::to_string).transpose()?;
        let content = Content {
            kind: kind(record),
            key: key.as_deref(),
            engine: engine(record),
            program: program(record),
            reply: reply(record),
            body: &body,
            marks: marks.as_deref(),
        };
        let hash = content.hash(millis(record.at()));
        let prompt =
            prompt(record).map_or(0, |prompt| prompt.iter().map(|text| text.text.len()).sum());
        let blobs = record.blobs().into_iter().flat_map(BlobSet::iter);
        let blobs: usize = blobs.map(|blob| blob.bytes().len()).sum();
        let bytes = body.len() + reply(record).map_or(0, str::len) + prompt + blobs;
        Ok(Self { key, marks, body, hash, bytes })
    }
}

/// Serializes a record with the digests of its blobs. Their bytes are in a table of their own.
fn without_blobs(record: &impl Serialize) -> Result<String, serde_json::Error> {
    refer_to_blobs(|| serde_json::to_string(record))
}

/// Returns the kind of a record: `submitted`, `begun`, `step`, or the kind of its event.
pub const fn kind(record: &Record) -> &'static str {
    match record {
        Record::Submitted(_) => "submitted",
        Record::Begun(_) => "begun",
        Record::Step(_) => "step",
        Record::Event(record) => match record.event {
            Event::Replied { .. } => "replied",
            Event::Failed { .. } => "failed",
            Event::Ran { .. } => "ran",
            Event::Answered { .. } => "answered",
            Event::Started { .. } => "started",
            Event::Interrupted { .. } => "interrupted",
            Event::TimedOut { .. } => "timed_out",
            Event::Woken { .. } => "woken",
            Event::Cancelled { .. } => "cancelled",
        },
    }
}

/// Returns the call that an event answers.
#[must_use]
pub const fn asked(record: &Record) -> Option<&CallInfo> {
    match record {
        Record::Event(record) => record.asked.as_ref(),
        _ => None,
    }
}

/// Returns the task that made the call, or the current task of the run.
pub fn task(record: &Record) -> Option<&str> {
    match asked(record) {
        Some(asked) => Some(asked.key.task()),
        None => record.status().map(|status| status.task()),
    }
}

/// Returns the id of the engine that was called.
#[must_use]
pub fn engine(record: &Record) -> Option<&str> {
    asked(record).and_then(|asked| asked.engine.as_deref())
}

/// Returns the version of the program that made the call.
#[must_use]
pub fn program(record: &Record) -> Option<&str> {
    asked(record).and_then(|asked| asked.program.as_deref())
}

/// Returns the prompt that was sent.
#[must_use]
pub fn prompt(record: &Record) -> Option<&PromptSegments> {
    asked(record).and_then(|asked| asked.prompt.as_deref())
}

/// Returns the text of a reply, which is stored unescaped in its own column.
pub fn reply(record: &Record) -> Option<&str> {
    match record {
        Record::Event(EventRecord { event: Event::Replied { reply, .. }, .. }) => Some(&reply.text),
        _ => None,
    }
}

/// Returns the duration of a call in milliseconds.
pub fn elapsed(record: &Record) -> Option<i64> {
    let Record::Event(EventRecord { event, .. }) = record else { return None };
    match event {
        Event::Replied { elapsed, .. }
        | Event::Failed { elapsed, .. }
        | Event::Ran { elapsed, .. }
        | Event::TimedOut { elapsed, .. } => {
            Some(elapsed.as_millis().try_into().unwrap_or(i64::MAX))
        }
        Event::Started { .. }
        | Event::Interrupted { .. }
        | Event::Answered { .. }
        | Event::Woken { .. }
        | Event::Cancelled { .. } => None,
    }
}

fn without_reply(event: &Event) -> Event {
    match event {
        Event::Replied { id, reply, elapsed } => {
            let ModelReply { finish, usage, tool_calls, id: reply_id, model, .. } = reply;
            let mut reply = ModelReply::new("").finish(finish.clone()).usage(*usage);
            reply.tool_calls.clone_from(tool_calls);
            (reply.id, reply.model) = (reply_id.clone(), model.clone());
            Event::Replied { id: *id, reply, elapsed: *elapsed }
        }
        other => other.clone(),
    }
}

/// The columns that make up a record, without its time and prompt.
#[derive(Debug)]
pub struct Content<'a> {
    /// The [kind] of the record.
    pub kind: &'a str,
    /// The key of the call that an event answers.
    pub key: Option<&'a str>,
    /// The engine that was called.
    pub engine: Option<&'a str>,
    /// The version of the program that made the call.
    pub program: Option<&'a str>,
    /// The text of the reply.
    pub reply: Option<&'a str>,
    /// All else, as JSON.
    pub body: &'a str,
    /// The marks of trust of a model call, as JSON.
    pub marks: Option<&'a str>,
}

/// The error for a row that can't be converted to a record.
pub type RowError = Box<dyn Error + Send + Sync>;

impl Content<'_> {
    /// Hashes the time and the columns of the entry.
    pub fn hash(&self, at: i64) -> ContentHash {
        let Self { kind, key, engine, program, reply, body, marks } = *self;
        let texts = [Some(kind), key, engine, program, reply, Some(body), marks];
        // Entries without marks are hashed as before there were any.
        ContentHash::new(at, &texts[..6 + usize::from(marks.is_some())])
    }

    /// Converts the row to its record.
    pub fn read(&self, at: i64, prompt: Option<Arc<PromptSegments>>) -> Result<Record, RowError> {
        Ok(match self.kind {
            "submitted" => Record::Submitted(serde_json::from_str(self.body)?),
            "begun" => Record::Begun(serde_json::from_str(self.body)?),
            "step" => Record::Step(serde_json::from_str(self.body)?),
            _ => Record::Event(self.event(at, prompt)?),
        })
    }

    fn event(&self, at: i64, prompt: Option<Arc<PromptSegments>>) -> Result<EventRecord, RowError> {
        let mut event = serde_json::from_str(self.body)?;
        if let (Event::Replied { reply, .. }, Some(text)) = (&mut event, self.reply) {
            text.clone_into(&mut reply.text);
        }
        let asked = match self.key {
            Some(key) => Some(CallInfo {
                key: CallKey::try_from(key.to_owned())?,
                engine: self.engine.map(str::to_owned),
                program: self.program.map(str::to_owned),
                prompt,
                marks: self.marks.map(serde_json::from_str).transpose()?,
            }),
            None => None,
        };
        Ok(EventRecord { at: time(at), asked, event })
    }
}
