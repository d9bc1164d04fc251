//! Measures prompts on small real models: runs cases with right values through the client and the processes that
//! users have, and prints a table of what the model made of them.
//!
//! The texts that the model reads are those of the library alone. A change of them is measured by a run before
//! and a run after it, and `compare` says whether the difference is more than chance.

mod arguments;
mod ask;
mod case;
mod compare;
mod kinds;
mod result;
mod server;
mod table;
#[cfg(test)]
mod tests;

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{
    arguments::{Command, Run, USAGE},
    ask::BenchError,
    case::Case,
    result::{CaseResult, name, read_results},
    server::Setting,
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), BenchError> {
    let command = arguments::parse(lexopt::Parser::from_env());
    let text = match command.map_err(|error| format!("{error}\n\n{USAGE}"))? {
        Command::Run(arguments) => run(&arguments).await?,
        Command::Table { files, by_kind } => {
            let results: Result<Vec<_>, _> = files.iter().map(|file| existing(file)).collect();
            table::table(&[("", &results?.concat())], by_kind)
        }
        Command::Compare([first, second]) => compare::compare(
            (&first.display().to_string(), &existing(&first)?),
            (&second.display().to_string(), &existing(&second)?),
        ),
    };
    print!("{text}");
    Ok(())
}

fn existing(file: &Path) -> Result<Vec<CaseResult>, BenchError> {
    match read_results(file)? {
        results if results.is_empty() => Err(format!("{} has no results", file.display()).into()),
        results => Ok(results),
    }
}

/// Runs the cases that have no result yet, and returns the table of all.
async fn run(arguments: &Run) -> Result<String, BenchError> {
    let (cases, stored) = (cases(arguments)?, stored(arguments)?);
    let mut file = arguments.json.as_ref().map(append_to).transpose()?;
    let mut results = Vec::new();
    for setting in &arguments.settings {
        for case in &cases {
            let setting_name = name(setting);
            let key = (&*case.id, &*arguments.server.model, &*setting_name, arguments.server.seed);
            if let Some(result) = stored.iter().find(|result| result.key() == key) {
                results.push(result.clone());
                continue;
            }
            let result = measure(arguments, *setting, case).await?;
            if let Some(file) = &mut file {
                file.write_all(format!("{}\n", serde_json::to_string(&result)?).as_bytes())?;
            }
            results.push(result);
        }
    }
    Ok(table::table(&[("", &results)], arguments.by_kind))
}

fn cases(arguments: &Run) -> Result<Vec<Case>, BenchError> {
    let mut cases = case::cases()?;
    cases.retain(|case| arguments.halves.contains(&case.half));
    Ok(case::mixed(cases).into_iter().take(arguments.limit).collect())
}

/// Returns the results in the file of the run.
fn stored(arguments: &Run) -> Result<Vec<CaseResult>, BenchError> {
    let Some(file) = &arguments.json else { return Ok(Vec::new()) };
    let results = read_results(file)?;
    if !arguments.resume && !results.is_empty() {
        let file = file.display();
        return Err(format!("{file} has results: add `--resume`, or name another file").into());
    }
    Ok(results)
}

fn append_to(file: &PathBuf) -> io::Result<File> {
    File::options().append(true).create(true).open(file)
}

async fn measure(arguments: &Run, setting: Setting, case: &Case) -> Result<CaseResult, BenchError> {
    let model = arguments.server.client(setting)?;
    let asked = case.kind.asker().ask(model, case.text.clone()).await;
    let asked = asked.map_err(|error| format!("{}, {}: {error}", case.id, name(setting)))?;
    let result = CaseResult::new(case, &arguments.server, setting, asked);
    eprintln!("{} {}: {}, {} calls", result.id, name(setting), result.verdict(), result.calls);
    Ok(result)
}
