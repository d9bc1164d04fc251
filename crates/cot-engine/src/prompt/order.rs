//! The order of the parts of a prompt.

use cot_model::{PartName, Stability};

use crate::process::{
    tables::{Definition, TaskIndex},
    texts::{Primer, TextFacts},
};

/// A section of a prompt that is placed as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// A whole part.
    Part(PartName),
    /// The text before the transitions, apart from their list.
    TransitionsPrimer,
    /// The list of visible transitions, apart from the text before it.
    TransitionsList,
}

impl Section {
    /// Returns the part to which the section belongs.
    pub const fn part(self) -> PartName {
        match self {
            Self::Part(part) => part,
            Self::TransitionsPrimer | Self::TransitionsList => PartName::Transitions,
        }
    }
}

/// The sections of the prompt of a task, in order.
#[derive(Debug, Clone, Copy)]
pub struct SectionOrder([Option<Section>; SECTIONS]);

impl SectionOrder {
    /// Returns the sections in order.
    pub fn iter(&self) -> impl Iterator<Item = Section> + '_ {
        self.0.iter().copied().flatten()
    }
}

/// Returns the order of the sections of the prompt of a task: that of the process, or by default the stable
/// ones first, so that a server's prompt cache serves the longest prefix.
pub fn section_order(definition: &Definition, task: TaskIndex) -> SectionOrder {
    let mut sections = [None; SECTIONS];
    match definition.order {
        Some(order) => {
            let order = order.iter().map(|part| Some(Section::Part(*part)));
            sections.iter_mut().zip(order).for_each(|(place, section)| *place = section);
        }
        None => place_by_zone(definition, task, &mut sections),
    }
    SectionOrder(sections)
}

/// The number of sections of a prompt, if the transitions are two.
const SECTIONS: usize = PartName::PROMPT_PARTS.len() + 1;

/// Places the sections of the prompt of a task, the stable ones first. What a run does not change stays in the
/// order in which it reads best.
fn place_by_zone(
    definition: &Definition,
    task: TaskIndex,
    sections: &mut [Option<Section>; SECTIONS],
) {
    let texts = &definition.texts;
    let own = &definition.task(task).texts;
    let primer_zone = |primer| zone(&texts.primer(primer));
    let (primer, list) = (primer_zone(Primer::Transitions), zone(&own.labels));
    let (first, second) = match primer == list {
        true => (Section::Part(PartName::Transitions), None),
        false => (Section::TransitionsPrimer, Some(Section::TransitionsList)),
    };
    let in_reading_order: [(u8, Option<Section>); SECTIONS] = [
        (zone(&texts.intro), Some(Section::Part(PartName::Intro))),
        (primer_zone(Primer::Goal), Some(Section::Part(PartName::Goal))),
        (zone(&own.prompt), Some(Section::Part(PartName::Prompt))),
        (primer, Some(first)),
        (primer_zone(Primer::Output), Some(Section::Part(PartName::Output))),
        (primer_zone(Primer::History).max(GROWING), Some(Section::Part(PartName::History))),
        (list, second),
        (VOLATILE, Some(Section::Part(PartName::Errors))),
    ];
    let mut places = sections.iter_mut();
    for zone in STABLE..=VOLATILE {
        for (of_section, section) in &in_reading_order {
            if *of_section == zone {
                places.next().into_iter().for_each(|place| *place = *section);
            }
        }
    }
}

/// The zone of texts that are the same in all prompts of a run.
const STABLE: u8 = 0;
/// The zone of texts that grow at their end.
const GROWING: u8 = 1;
/// The zone of all other texts.
const VOLATILE: u8 = 2;

/// Returns the zone of the least stable value of a text.
fn zone(text: &Option<TextFacts>) -> u8 {
    match text.as_ref().map_or(Stability::Fixed, TextFacts::stability) {
        Stability::Fixed | Stability::PerRun => STABLE,
        Stability::Growing => GROWING,
        Stability::Volatile => VOLATILE,
    }
}
