//! The journal of one run.

use std::{collections::BTreeMap, iter};

use cot_engine::CallKey;
use cot_model::{BlobSet, Digest};
use serde_json::Value;

use crate::{
    draft::Draft,
    error::StoreError,
    record::{Entry, Record},
    spending::Spending,
    status::Status,
    summary::RunSummary,
};

/// The journal of a run, with its summary.
pub(super) struct MemoryJournal {
    /// The sequence number of the journal; later journals have larger numbers.
    pub(super) number: u64,
    pub(super) summary: RunSummary,
    pub(super) records: Vec<Record>,
    /// The blobs of all records.
    pub(super) blobs: BlobSet,
    pub(super) answer: Option<(CallKey, Value)>,
    /// The beginnings of replies that are being received.
    pub(super) drafts: BTreeMap<CallKey, Draft>,
}

impl MemoryJournal {
    pub(super) fn new(number: u64, summary: RunSummary, first: Record) -> Self {
        let blobs = first.blobs().cloned().unwrap_or_default();
        Self { number, summary, records: vec![first], blobs, answer: None, drafts: BTreeMap::new() }
    }

    pub(super) fn summary(&self) -> RunSummary {
        let asks =
            |key| matches!(&self.summary.status, Status::Asking { key: asked, .. } if asked == key);
        let is_answered = self.answer.as_ref().is_some_and(|(key, _)| asks(key));
        RunSummary { is_answered, ..self.summary.clone() }
    }

    pub(super) fn append(
        &mut self,
        records: Vec<Record>,
        spending: &mut Vec<Spending>,
    ) -> Result<(), StoreError> {
        let mut summary = self.summary.clone();
        records.iter().try_for_each(|record| summary.apply(record))?;
        let events = records.iter().filter_map(|record| match record {
            Record::Event(event) => event.asked.as_ref(),
            _ => None,
        });
        for asked in events {
            self.answer.take_if(|(key, _)| *key == asked.key);
            self.drafts.remove(&asked.key);
        }
        self.summary = summary;
        if self.summary.status.is_ended() {
            self.drafts.clear();
        }
        for blobs in records.iter().filter_map(Record::blobs) {
            self.blobs.merge(blobs.clone());
        }
        for row in
            records.iter().flat_map(|record| Spending::from_record(&self.summary.process, record))
        {
            add_spending(spending, row);
        }
        self.records.extend(records);
        Ok(())
    }

    pub(super) fn entries(&self, from: u64, limit: usize) -> Vec<Entry> {
        let records = iter::zip(0.., &self.records);
        let start = usize::try_from(from).unwrap_or(usize::MAX);
        let records = records.skip(start).take(limit);
        records
            .map(|(number, record)| Entry { number, hash: None, record: record.clone() })
            .collect()
    }

    pub(super) fn blobs(&self, digests: &[Digest]) -> Result<BlobSet, StoreError> {
        let find = |digest: &Digest| {
            let (run, digest) = (&self.summary.run, *digest);
            let missing = || StoreError::MissingBlob { run: run.clone(), digest };
            self.blobs.get(digest).cloned().ok_or_else(missing)
        };
        digests.iter().map(find).collect()
    }

    pub(super) fn last_full_snapshot(&self, until: u64) -> Option<u64> {
        let snapshots =
            iter::zip(0.., &self.records).filter(|(_, record)| record.is_full_snapshot());
        snapshots.map(|(number, _)| number).take_while(|number| *number <= until).last()
    }

    pub(super) fn answer(&mut self, key: &CallKey, answer: Value) -> Result<(), StoreError> {
        self.summary.check_answer(key, &answer)?;
        self.answer = Some((key.clone(), answer));
        Ok(())
    }

    pub(super) fn put_draft(&mut self, draft: Draft) {
        if draft.is_empty() {
            self.drafts.remove(&draft.key);
        } else {
            self.drafts.insert(draft.key.clone(), draft);
        }
    }
}

/// Adds a row to the sorted rows.
fn add_spending(rows: &mut Vec<Spending>, row: Spending) {
    match rows.binary_search_by(|known| known.compare(&row)) {
        Ok(index) => rows[index].add(&row),
        Err(index) => rows.insert(index, row),
    }
}
