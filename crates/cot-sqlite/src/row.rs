//! A record as a row of the journal, and back.

use std::{error::Error, sync::Arc};

use cot_core::{
    CallKey, Event, PromptSegments, SegmentKind,
    model::ModelReply,
    store::{Asked, EventRecord, Record},
};

use crate::{column::time, prompt::KeptPrompt};

/// What of a record stands in no column of its own, and what all but the prompt adds up to.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) key: Option<String>,
    pub(crate) body: String,
    sum: u32,
    /// About how many bytes there are to write.
    pub(crate) bytes: usize,
}

impl Row {
    /// # Errors
    ///
    /// When the record can't be written as JSON.
    pub(crate) fn new(record: &Record) -> Result<Self, serde_json::Error> {
        let body = match record {
            Record::Begun(begun) => serde_json::to_string(begun)?,
            Record::Step(step) => serde_json::to_string(step)?,
            Record::Event(event) => serde_json::to_string(&without_reply(&event.event))?,
        };
        let key = asked(record).map(|asked| asked.key.to_string());
        let content = Content {
            kind: kind(record),
            key: key.as_deref(),
            engine: engine(record),
            reply: reply(record),
            body: &body,
        };
        let sum = content.sum();
        let prompt =
            prompt(record).map_or(0, |prompt| prompt.iter().map(|text| text.text.len()).sum());
        let bytes = body.len() + reply(record).map_or(0, str::len) + prompt;
        Ok(Self { key, body, sum, bytes })
    }

    /// What the row adds up to, with a prompt as it is kept.
    pub(crate) fn sum(&self, prompt: Option<(&KeptPrompt, &PromptSegments)>) -> u32 {
        prompt.map_or(self.sum, |(kept, prompt)| with_prompt(self.sum, &kept.list, prompt))
    }
}

/// A text that varies counts in each entry whose prompt has it, wherever it stands.
fn with_prompt(sum: u32, list: &str, prompt: &PromptSegments) -> u32 {
    let mut sum = crc32fast::Hasher::new_with_initial(sum);
    sum.update(list.as_bytes());
    for segment in prompt.iter().filter(|segment| segment.kind == SegmentKind::Variable) {
        sum.update(&[0xff]);
        sum.update(segment.text.as_bytes());
    }
    sum.finalize()
}

/// `begun`, `step`, or what happened.
pub(crate) const fn kind(record: &Record) -> &'static str {
    match record {
        Record::Begun(_) => "begun",
        Record::Step(_) => "step",
        Record::Event(record) => match record.event {
            Event::Replied { .. } => "replied",
            Event::Failed { .. } => "failed",
            Event::Ran { .. } => "ran",
            Event::Answered { .. } => "answered",
            Event::TimedOut { .. } => "timed_out",
            Event::Woken { .. } => "woken",
            Event::Cancelled { .. } => "cancelled",
        },
    }
}

pub(crate) const fn asked(record: &Record) -> Option<&Asked> {
    match record {
        Record::Event(record) => record.asked.as_ref(),
        _ => None,
    }
}

/// The task that asked, or at which the run stands.
pub(crate) fn task(record: &Record) -> Option<&str> {
    match asked(record) {
        Some(asked) => Some(asked.key.task()),
        None => record.status().map(|status| status.task()),
    }
}

pub(crate) fn engine(record: &Record) -> Option<&str> {
    asked(record).and_then(|asked| asked.engine.as_deref())
}

pub(crate) fn prompt(record: &Record) -> Option<&PromptSegments> {
    asked(record).and_then(|asked| asked.prompt.as_deref())
}

/// The text of a reply. It has a column of its own, where nothing is escaped.
pub(crate) fn reply(record: &Record) -> Option<&str> {
    match record {
        Record::Event(EventRecord { event: Event::Replied { reply, .. }, .. }) => Some(&reply.text),
        _ => None,
    }
}

/// How long a call took, in milliseconds.
pub(crate) fn elapsed(record: &Record) -> Option<i64> {
    let Record::Event(EventRecord { event, .. }) = record else { return None };
    match event {
        Event::Replied { elapsed, .. }
        | Event::Failed { elapsed, .. }
        | Event::Ran { elapsed, .. }
        | Event::TimedOut { elapsed, .. } => {
            Some(elapsed.as_millis().try_into().unwrap_or(i64::MAX))
        }
        Event::Answered { .. } | Event::Woken { .. } | Event::Cancelled { .. } => None,
    }
}

fn without_reply(event: &Event) -> Event {
    match event {
        Event::Replied { id, reply: ModelReply { finish, usage, .. }, elapsed } => Event::Replied {
            id: *id,
            reply: ModelReply { text: String::new(), finish: finish.clone(), usage: *usage },
            elapsed: *elapsed,
        },
        other => other.clone(),
    }
}

/// What of a row makes its record, but for its time and prompt.
#[derive(Debug)]
pub(crate) struct Content<'a> {
    pub(crate) kind: &'a str,
    pub(crate) key: Option<&'a str>,
    pub(crate) engine: Option<&'a str>,
    pub(crate) reply: Option<&'a str>,
    pub(crate) body: &'a str,
}

/// What is wrong with a row.
pub(crate) type BadRow = Box<dyn Error + Send + Sync>;

impl Content<'_> {
    fn sum(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        for text in [Some(self.kind), self.key, self.engine, self.reply, Some(self.body)] {
            sum.update(text.unwrap_or_default().as_bytes());
            // No text holds such a byte, so that nothing moves from one column into the next unseen.
            sum.update(if text.is_some() { &[0xff] } else { &[0xfe] });
        }
        sum.finalize()
    }

    /// The record that it was.
    pub(crate) fn read(
        &self,
        at: i64,
        sum: u32,
        prompt: Option<(&str, Arc<PromptSegments>)>,
    ) -> Result<Record, BadRow> {
        let is = prompt
            .as_ref()
            .map_or(self.sum(), |(list, prompt)| with_prompt(self.sum(), list, prompt));
        let prompt = prompt.map(|(_, prompt)| prompt);
        if is != sum {
            return Err("its check sum does not fit: it was changed after it was written".into());
        }
        Ok(match self.kind {
            "begun" => Record::Begun(serde_json::from_str(self.body)?),
            "step" => Record::Step(serde_json::from_str(self.body)?),
            _ => Record::Event(self.event(at, prompt)?),
        })
    }

    fn event(&self, at: i64, prompt: Option<Arc<PromptSegments>>) -> Result<EventRecord, BadRow> {
        let mut event = serde_json::from_str(self.body)?;
        if let (Event::Replied { reply, .. }, Some(text)) = (&mut event, self.reply) {
            text.clone_into(&mut reply.text);
        }
        let asked = match self.key {
            Some(key) => Some(Asked {
                key: CallKey::try_from(key.to_owned())?,
                engine: self.engine.map(str::to_owned),
                prompt,
            }),
            None => None,
        };
        Ok(EventRecord { at: time(at), asked, event })
    }
}
