//! The command line.

use std::{path::PathBuf, sync::Arc};

use cot_core::{
    eval::ReplyCache,
    model::{OpenAiCompatible, ResponseFormat},
};

use crate::{
    BenchError,
    bench::{Bench, Variant},
    kinds::KINDS,
};

pub(crate) const USAGE: &str = "\
usage: cot-real-bench run --base-url URL --model NAME [options]   run cases
       cot-real-bench judge FILE...                               judge the results of other libraries
       cot-real-bench attack                                      print what attacks of AgentDojo achieve

options of `run` and `judge`:
  --json FILE            write the report, for `cot eval show` and `cot eval compare`

options of `run`:
  --half HALF            choose: the cases by which texts are chosen, which are the default; hold: those that show at
                         the end what the choice is worth
  --kinds A,B            the kinds of cases; all of them by default
  --settings A,B         of prompt, schema, explained; all of them by default
  --each N               only so many cases of each kind
  --repeats N            how often each case runs, with the seeds from 1; once by default
  --cache FILE           keep the replies, so that a run that was stopped continues";

/// What to do.
pub(crate) enum Command {
    Run(Run),
    Judge(Vec<PathBuf>),
    /// Attacks on a model that obeys them.
    Attack,
}

/// A run of cases.
#[derive(Default)]
pub(crate) struct Run {
    base_url: String,
    model: String,
    half: String,
    kinds: Vec<String>,
    settings: Vec<String>,
    each: Option<usize>,
    repeats: Option<u32>,
    cache: Option<PathBuf>,
}

/// Parses the command line. The path is that of the report.
///
/// # Errors
///
/// For an unknown option, and a missing or invalid value.
pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<(Command, Option<PathBuf>), BenchError> {
    use lexopt::prelude::*;
    let mut run = Run { half: "choose".into(), ..Run::default() };
    let (mut words, mut json) = (Vec::new(), None);
    while let Some(argument) = parser.next()? {
        match argument {
            Value(word) => words.push(PathBuf::from(word)),
            Long("base-url") => run.base_url = parser.value()?.string()?,
            Long("model") => run.model = parser.value()?.string()?,
            Long("half") => run.half = parser.value()?.string()?,
            Long("kinds") => run.kinds = names(&parser.value()?.string()?),
            Long("settings") => run.settings = names(&parser.value()?.string()?),
            Long("each") => run.each = Some(parser.value()?.parse()?),
            Long("repeats") => run.repeats = Some(parser.value()?.parse()?),
            Long("cache") => run.cache = Some(parser.value()?.into()),
            Long("json") => json = Some(parser.value()?.into()),
            other => return Err(other.unexpected().into()),
        }
    }
    let mut words = words.into_iter();
    let command = words.next().unwrap_or_default();
    let files: Vec<_> = words.collect();
    let command = match (command.to_str(), files.is_empty()) {
        (Some("run"), true) => Command::Run(run),
        (Some("attack"), true) => Command::Attack,
        (Some("judge"), false) => Command::Judge(files),
        _ => return Err("a command is missing, or has other operands".into()),
    };
    Ok((command, json))
}

fn names(text: &str) -> Vec<String> {
    text.split(',').map(str::to_owned).collect()
}

impl Run {
    /// Creates what runs the cases.
    ///
    /// # Errors
    ///
    /// For a name that does not exist, and if the client or the cache can't be made.
    pub(crate) fn bench(self) -> Result<Bench, BenchError> {
        if self.base_url.is_empty() || self.model.is_empty() {
            return Err("`run` needs `--base-url` and `--model`".into());
        }
        let kinds = KINDS.iter().filter(|kind| {
            self.kinds.is_empty() || self.kinds.iter().any(|name| name == kind.name)
        });
        let kinds: Vec<_> = kinds.collect();
        if !self.kinds.is_empty() && kinds.len() != self.kinds.len() {
            let names = KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
            return Err(format!("the kinds are {names}").into());
        }
        let settings = match self.settings.is_empty() {
            true => names("prompt,schema,explained"),
            false => self.settings,
        };
        let variant = |setting| variant(&self.base_url, &self.model, setting);
        Ok(Bench {
            name: format!("prompts on {}", self.model),
            variants: settings.into_iter().map(variant).collect::<Result<_, _>>()?,
            kinds,
            half: self.half,
            each: self.each.unwrap_or(usize::MAX),
            repeats: self.repeats.unwrap_or(1),
            cache: self.cache.map(ReplyCache::open).transpose()?.unwrap_or_default(),
        })
    }
}

/// Creates the client of a setting: how the model learns the format of its reply.
fn variant(base_url: &str, model: &str, setting: String) -> Result<Variant, BenchError> {
    let builder = OpenAiCompatible::builder(base_url, model);
    let builder = match &*setting {
        // By the prompt alone.
        "prompt" => builder.response_format(ResponseFormat::PromptOnly),
        // By the schema alone, which the server makes a grammar of.
        "schema" => builder.explain_format(false),
        "explained" => builder.explain_format(true),
        _ => return Err(format!("there is no setting `{setting}`").into()),
    };
    Ok((setting, Arc::new(builder.build()?)))
}
