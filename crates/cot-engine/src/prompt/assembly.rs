//! The assembly of one prompt, and the frames of its parts.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
};

use cot_model::PartName;
use cot_schema::internal::closest_name;

use super::{input::PromptInput, order::Section};
use crate::process::{
    host::{ProcessHost, TemplateId},
    schemas::cache::ReplyFormat,
    scope::ScopeData,
};
use cot_template::{Fragment, PartError, PartSource, PartialPrompt, PromptWriter};

/// The assembly of one prompt.
pub(super) struct Assembly<'a> {
    pub(super) input: &'a PromptInput<'a>,
    pub(super) host: &'a dyn ProcessHost,
    pub(super) partial: Option<&'a Arc<PartialPrompt>>,
    /// The format of the replies, unless the process reads them itself.
    pub(super) format: Option<Arc<ReplyFormat>>,
    /// The standard parts that were written, one bit each.
    written: AtomicU16,
}

/// A part that is being written, linked to the parts that contain it.
pub(super) struct Frame<'a> {
    pub(super) assembly: &'a Assembly<'a>,
    content: Content,
    outer: Option<&'a Self>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Standard(Section),
    /// A part of `prompts`.
    ProcessPart(usize),
    FullPrompt,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(
        input: &'a PromptInput<'a>,
        host: &'a dyn ProcessHost,
        partial: Option<&'a Arc<PartialPrompt>>,
    ) -> Self {
        let PromptInput { definition, task, visible, .. } = *input;
        let (output, inputs) = (host.output_schema(task), |task| host.inputs_schema(task));
        let format = host.schemas().reply(definition, task, visible, output, &inputs);
        Self { input, host, partial, format, written: AtomicU16::new(0) }
    }

    /// Writes the prompt. Returns whether the task has a `full_prompt`.
    pub(super) fn prompt(&self, writer: &mut PromptWriter) -> Result<bool, fmt::Error> {
        if self.full_prompt(writer)? {
            return Ok(true);
        }
        for section in self.input.shape.order.iter() {
            self.section(section, writer)?;
        }
        Ok(false)
    }

    /// Writes a part after a blank line, or nothing if the part is empty.
    pub(super) fn part(&self, part: PartName, writer: &mut PromptWriter) -> fmt::Result {
        self.section(Section::Part(part), writer)
    }

    /// Writes a section after a blank line, or nothing if the section is empty.
    fn section(&self, section: Section, writer: &mut PromptWriter) -> fmt::Result {
        let before = writer.written();
        let outer = writer.enter_part(section.part());
        if before > 0 {
            writer.write_text("\n\n");
        }
        if !Frame::section(self, section).write_contents(writer)? {
            writer.truncate(before);
        }
        writer.leave_part(outer);
        Ok(())
    }

    /// Creates a writer with the omissions of the prompt.
    pub(super) fn new_writer(&self) -> PromptWriter {
        match self.partial {
            Some(partial) => PromptWriter::default().omitting(partial),
            None => PromptWriter::default(),
        }
    }

    /// Writes the `full_prompt` of the task, if it has one. Returns whether it has one.
    fn full_prompt(&self, writer: &mut PromptWriter) -> Result<bool, fmt::Error> {
        let PromptInput { definition, task, .. } = *self.input;
        if definition.task(task).texts.full_prompt.is_none() {
            return Ok(false);
        }
        let frame = Frame { assembly: self, content: Content::FullPrompt, outer: None };
        if !frame.write_template(TemplateId::FullPrompt(task), writer)? {
            return Ok(false);
        }
        let shown = self.written.load(Ordering::Relaxed);
        let is_kept = self.keeps(Fragment::TaskPrompt);
        if !is_kept {
            writer.truncate(0);
        }
        for part in PartName::PROMPT_PARTS {
            // A retry must contain the issues of the last reply.
            let is_due = match shown & bit(part) != 0 {
                true => !is_kept,
                false => part == PartName::Errors,
            };
            if is_due {
                self.part(part, writer)?;
            }
        }
        Ok(true)
    }

    pub(super) fn keeps(&self, fragment: Fragment<'_>) -> bool {
        self.partial.is_none_or(|partial| partial.keeps(fragment))
    }

    /// Finds a part by name. Parts of the process take precedence, as in templates.
    fn find_part(&self, name: &str) -> Result<Content, PartError> {
        let standard = || PartName::PROMPT_PARTS.into_iter().find(|part| part.as_str() == name);
        let standard = || standard().map(|part| Content::Standard(Section::Part(part)));
        let own = self.host.part_index(name).map(Content::ProcessPart);
        own.or_else(standard).ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, name: &str) -> PartError {
        let standard = PartName::PROMPT_PARTS.into_iter().map(PartName::as_str);
        let names = standard.chain(self.host.part_names().iter().copied());
        let suggestion = closest_name(name, names).map(str::to_owned);
        PartError::Unknown { name: name.to_owned(), suggestion }
    }
}

fn bit(part: PartName) -> u16 {
    1 << part as u16
}

impl<'a> Frame<'a> {
    /// Creates the frame of a standard part outside of other parts.
    pub(super) fn root(assembly: &'a Assembly<'a>, part: PartName) -> Self {
        Self::section(assembly, Section::Part(part))
    }

    fn section(assembly: &'a Assembly<'a>, section: Section) -> Self {
        Self { assembly, content: Content::Standard(section), outer: None }
    }

    /// Writes a text of the declaration. Returns `false` if the declaration does not have it.
    pub(super) fn write_template(
        &self,
        piece: TemplateId,
        writer: &mut PromptWriter,
    ) -> Result<bool, fmt::Error> {
        let view = ScopeData { parts: Some(self), ..self.input().view };
        self.assembly.host.write(piece, &view, writer)
    }

    /// Writes the contents of the part without trailing white space. Returns whether it has any.
    fn write_contents(&self, writer: &mut PromptWriter) -> Result<bool, fmt::Error> {
        let start = writer.written();
        match self.content {
            Content::Standard(section) => {
                let written = &self.assembly.written;
                written.fetch_or(bit(section.part()), Ordering::Relaxed);
                self.standard(section, writer)?;
            }
            Content::ProcessPart(index) => {
                self.write_template(TemplateId::Part(index), writer).map(drop)?;
            }
            Content::FullPrompt => {}
        }
        Ok(writer.trim_to(start))
    }

    pub(super) fn input(&self) -> &'a PromptInput<'a> {
        self.assembly.input
    }

    fn is_within(&self, content: Content) -> bool {
        self.content == content || self.outer.is_some_and(|outer| outer.is_within(content))
    }
}

impl PartSource for Frame<'_> {
    fn write_part(&self, name: &str, writer: &mut PromptWriter) -> Result<(), PartError> {
        let content = self.assembly.find_part(name)?;
        if self.is_within(content) {
            return Err(PartError::Recursive { name: name.to_owned() });
        }
        let frame = Frame { assembly: self.assembly, content, outer: Some(self) };
        let outer = match content {
            Content::Standard(section) => Some(writer.enter_part(section.part())),
            Content::ProcessPart(_) if !writer.begins_part(name) => return Ok(()),
            Content::ProcessPart(_) | Content::FullPrompt => None,
        };
        let written = frame
            .write_contents(writer)
            .map_err(|_| PartError::Failed { name: name.to_owned(), why: writer.take_failure() });
        if let Some(outer) = outer {
            writer.leave_part(outer);
        }
        written.map(drop)
    }

    fn writer(&self) -> PromptWriter {
        self.assembly.new_writer()
    }
}
