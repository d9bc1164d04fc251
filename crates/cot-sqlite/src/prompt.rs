//! Prompts, kept as lists of texts. Those that are fixed are kept once for all runs. The others stand in the
//! entry that they came with; where a long one comes again, later entries of the run refer to it.

use std::{collections::HashMap, fmt::Write as _, sync::Arc};

use cot_core::{PartName, PromptSegments, Segment, SegmentKind};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, de::IntoDeserializer};

use crate::{column::place, error::Problem};

/// A prompt as an entry keeps it.
#[derive(Debug, Default)]
pub(crate) struct KeptPrompt {
    /// Where each of its texts is, as a JSON array.
    pub(crate) list: String,
    /// The texts that stand in the entry itself, one after the other.
    pub(crate) texts: String,
}

/// Where a text that is not fixed stands: its first character, from 1 on, and how many they are.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    from: usize,
    length: usize,
}

/// The ids of fixed texts, which are the same for all runs and come again with each prompt.
#[derive(Debug, Default)]
pub(crate) struct FixedTexts {
    /// By the check sum of the text.
    ids: HashMap<u32, (Segment, i64)>,
}

/// The long texts of a run that are not fixed, by check sum and length, and the entries that they stand in.
#[derive(Debug, Default)]
pub(crate) struct RunTexts {
    places: HashMap<(u32, usize), (u64, Stretch)>,
}

/// More texts than this are not remembered.
const MOST: usize = 1024;

/// Shorter texts are not looked for in earlier entries, in bytes.
const LONG: usize = 1024;

impl KeptPrompt {
    /// Keeps a prompt in an entry of a run.
    pub(crate) fn keep(
        connection: &Connection,
        fixed: &mut FixedTexts,
        known: &mut RunTexts,
        (run, number): (i64, u64),
        prompt: &PromptSegments,
    ) -> Result<Self, Problem> {
        let mut kept = Self::default();
        let mut next = 1;
        for segment in prompt {
            let Segment { part, kind, text } = segment;
            kept.list.push(if kept.list.is_empty() { '[' } else { ',' });
            // Writing to a String does not fail.
            let _ = if *kind == SegmentKind::Fixed {
                write!(kept.list, "{}", fixed.id(connection, segment)?)
            } else if let Some((entry, at)) = known.find(connection, run, text)? {
                let Stretch { from, length } = at;
                write!(kept.list, "[\"{part}\",{from},{length},{entry}]")
            } else {
                let at = Stretch { from: next, length: text.chars().count() };
                next += at.length;
                kept.texts.push_str(text);
                known.learn(text, (number, at));
                write!(kept.list, "[\"{part}\",{},{}]", at.from, at.length)
            };
        }
        kept.list.push_str(if kept.list.is_empty() { "[]" } else { "]" });
        Ok(kept)
    }
}

impl FixedTexts {
    /// Forgets all, as what was written is undone, or somebody else has written.
    pub(crate) fn forget(&mut self) {
        self.ids.clear();
    }

    fn id(&mut self, connection: &Connection, segment: &Segment) -> Result<i64, Problem> {
        let sum = crc32fast::hash(segment.text.as_bytes());
        match self.ids.get(&sum) {
            Some((known, id)) if known == segment => return Ok(*id),
            _ => {}
        }
        let id = find_or_add(connection, segment, sum)?;
        if self.ids.len() >= MOST {
            self.forget();
        }
        self.ids.insert(sum, (segment.clone(), id));
        Ok(id)
    }
}

fn find_or_add(connection: &Connection, segment: &Segment, sum: u32) -> Result<i64, Problem> {
    let (part, text) = (segment.part.as_str(), segment.text.as_str());
    let mut find = connection
        .prepare_cached("SELECT id FROM segments WHERE sum = ? AND text = ? AND part = ?")?;
    if let Some(id) = find.query_row(params![sum, text, part], |row| row.get(0)).optional()? {
        return Ok(id);
    }
    let mut add =
        connection.prepare_cached("INSERT INTO segments (sum, text, part) VALUES (?, ?, ?)")?;
    Ok(add.insert(params![sum, text, part])?)
}

impl RunTexts {
    /// The entry in which a text stands, and where.
    fn find(
        &self,
        connection: &Connection,
        run: i64,
        text: &str,
    ) -> Result<Option<(u64, Stretch)>, Problem> {
        let Some((entry, at)) = self.places.get(&key(text)) else { return Ok(None) };
        // A check sum is the same for many texts.
        let mut same = connection
            .prepare_cached("SELECT 1 FROM journal WHERE id = ? AND substr(texts, ?, ?) = ?")?;
        let is_same =
            same.exists(params![place(run, *entry), as_i64(at.from), as_i64(at.length), text])?;
        Ok(is_same.then_some((*entry, *at)))
    }

    fn learn(&mut self, text: &str, at: (u64, Stretch)) {
        if text.len() < LONG {
            return;
        }
        if self.places.len() >= MOST {
            self.places.clear();
        }
        self.places.insert(key(text), at);
    }
}

fn key(text: &str) -> (u32, usize) {
    (crc32fast::hash(text.as_bytes()), text.len())
}

fn as_i64(count: usize) -> i64 {
    count.try_into().unwrap_or(i64::MAX)
}

/// Changes whenever another connection commits.
pub(crate) fn data_version(connection: &Connection) -> Result<i64, Problem> {
    let mut statement = connection.prepare_cached("PRAGMA data_version")?;
    Ok(statement.query_one([], |row| row.get(0))?)
}

/// Reads the prompts of a run again; each text from the database once.
#[derive(Debug)]
pub(crate) struct Prompts<'a> {
    connection: &'a Connection,
    run: i64,
    fixed: HashMap<i64, Segment>,
    /// The texts of other entries, by their numbers.
    others: HashMap<u64, String>,
}

/// Why a prompt can't be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BadPrompt {
    #[error("the list of its texts does not read")]
    List(#[source] serde_json::Error),
    #[error("the text {0} of its prompt is missing")]
    Missing(i64),
    #[error("the text {0} of its prompt is damaged")]
    Damaged(i64),
    #[error("the text {0} of its prompt belongs to no known part")]
    Part(i64, #[source] serde::de::value::Error),
    #[error("a text of its prompt is not where it should be")]
    Misplaced,
}

/// Where a text is.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Fixed(i64),
    Here(PartName, usize, usize),
    InEntry(PartName, usize, usize, u64),
}

impl<'a> Prompts<'a> {
    pub(crate) fn new(connection: &'a Connection, run: i64) -> Self {
        Self { connection, run, fixed: HashMap::new(), others: HashMap::new() }
    }

    /// The prompt of an entry.
    pub(crate) fn read(
        &mut self,
        list: &str,
        texts: &str,
    ) -> Result<Result<Arc<PromptSegments>, BadPrompt>, Problem> {
        let list: Vec<Text> = match serde_json::from_str(list) {
            Ok(list) => list,
            Err(error) => return Ok(Err(BadPrompt::List(error))),
        };
        let mut segments = Vec::with_capacity(list.len());
        for text in list {
            let segment = match text {
                Text::Fixed(id) => self.fixed(id)?,
                Text::Here(part, from, length) => variable(part, texts, Stretch { from, length }),
                Text::InEntry(part, from, length, entry) => {
                    variable(part, self.texts_of(entry)?, Stretch { from, length })
                }
            };
            match segment {
                Ok(segment) => segments.push(segment),
                Err(bad) => return Ok(Err(bad)),
            }
        }
        Ok(Ok(Arc::new(segments.into_iter().collect())))
    }

    fn fixed(&mut self, id: i64) -> Result<Result<Segment, BadPrompt>, Problem> {
        if let Some(segment) = self.fixed.get(&id) {
            return Ok(Ok(segment.clone()));
        }
        let mut find =
            self.connection.prepare_cached("SELECT part, text, sum FROM segments WHERE id = ?")?;
        let found = find.query_row([id], |row| {
            let part: String = row.get(0)?;
            Ok(fixed(id, &part, row.get(1)?, row.get(2)?))
        });
        let found = found.optional()?.unwrap_or(Err(BadPrompt::Missing(id)));
        if let Ok(segment) = &found {
            self.fixed.insert(id, segment.clone());
        }
        Ok(found)
    }

    /// The texts that stand in another entry; none where there is no such entry.
    fn texts_of(&mut self, entry: u64) -> Result<&str, Problem> {
        let texts = match self.others.remove(&entry) {
            Some(texts) => texts,
            None => {
                let mut find =
                    self.connection.prepare_cached("SELECT texts FROM journal WHERE id = ?")?;
                let found =
                    find.query_row([place(self.run, entry)], |row| row.get(0)).optional()?;
                found.flatten().unwrap_or_default()
            }
        };
        Ok(self.others.entry(entry).or_insert(texts))
    }
}

fn fixed(id: i64, part: &str, text: String, sum: u32) -> Result<Segment, BadPrompt> {
    if crc32fast::hash(text.as_bytes()) != sum {
        return Err(BadPrompt::Damaged(id));
    }
    let part = PartName::deserialize(part.into_deserializer());
    let part = part.map_err(|error| BadPrompt::Part(id, error))?;
    Ok(Segment { part, kind: SegmentKind::Fixed, text })
}

fn variable(part: PartName, texts: &str, at: Stretch) -> Result<Segment, BadPrompt> {
    let text = at.of(texts).ok_or(BadPrompt::Misplaced)?.to_owned();
    Ok(Segment { part, kind: SegmentKind::Variable, text })
}

impl Stretch {
    fn of(self, texts: &str) -> Option<&str> {
        let rest = &texts[nth_char(texts, self.from.checked_sub(1)?)?..];
        Some(&rest[..nth_char(rest, self.length)?])
    }
}

/// Where the character of this number begins, from 0 on; the end of the text comes after the last.
fn nth_char(text: &str, number: usize) -> Option<usize> {
    let starts = text.char_indices().map(|(start, _)| start);
    starts.chain([text.len()]).nth(number)
}
