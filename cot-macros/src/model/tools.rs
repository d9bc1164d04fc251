//! The tools of a process, and their uses in tasks.

use std::collections::BTreeMap;

use cot_syntax::{
    Tool, ToolUse,
    diagnostics::{Errors, join_names, suggest},
};
use proc_macro2::Ident;
use syn::ext::IdentExt as _;

/// The tools of a process by name.
#[derive(Debug)]
pub(super) struct ToolNames<'a> {
    pub(super) tools: Vec<&'a Tool>,
    index: BTreeMap<String, usize>,
    /// Whether an invalid item may have declared more.
    is_incomplete: bool,
}

/// The use of a tool in a task, with the index of the tool.
#[derive(Debug)]
pub(crate) struct ResolvedTool<'a> {
    pub(crate) tool: usize,
    pub(crate) syntax: &'a ToolUse,
}

impl<'a> ToolNames<'a> {
    /// Declares the tools of a process. Duplicates are reported by a check; the first one counts.
    pub(super) fn from_process(process: &'a cot_syntax::Process) -> Self {
        let declared = process.items.tools.as_ref().map(|item| &item.value);
        let is_incomplete = match declared {
            Some(declared) => !declared.is_complete,
            None => process.invalid.may_include(&["tools"]),
        };
        let declared = declared.map_or(&[][..], |declared| &declared.tools);
        let (tools, mut index) = (declared.iter().collect(), BTreeMap::new());
        for (at, tool) in declared.iter().enumerate() {
            index.entry(tool.name.unraw().to_string()).or_insert(at);
        }
        Self { tools, index, is_incomplete }
    }

    /// Returns the tools that a task names. An unknown name is reported and left out.
    pub(super) fn resolve(
        &self,
        task: &'a cot_syntax::Task,
        errors: &Errors,
    ) -> Vec<ResolvedTool<'a>> {
        let uses = task.items.tools.as_ref().map_or(&[][..], |item| &item.value);
        let resolved = uses.iter().filter_map(|syntax| {
            let tool = self.find(&syntax.name, errors)?;
            Some(ResolvedTool { tool, syntax })
        });
        resolved.collect()
    }

    fn find(&self, name: &Ident, errors: &Errors) -> Option<usize> {
        let wanted = name.unraw().to_string();
        if let Some(tool) = self.index.get(&wanted) {
            return Some(*tool);
        }
        if self.is_incomplete {
            return None;
        }
        let names = || self.tools.iter().map(|tool| tool.name.unraw().to_string());
        let known: Vec<_> = names().collect();
        let near = suggest(&wanted, known.iter().map(String::as_str));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => {
                "declare it in the process: `tools: { name: function \"what it does\" }`".to_owned()
            }
            None => format!("the tools are {}", join_names(&known)),
        };
        errors.add_with_help(name.span(), format!("no tool `{wanted}` in this process"), help);
        near.and_then(|near| self.index.get(near).copied())
    }
}
