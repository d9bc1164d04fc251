//! `cot new`: writes a program to start from.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};
use thiserror::Error;

use crate::{
    help, output,
    verdict::{Outcome, Verdict},
};

/// Writes a new program that builds, runs without a key, and has a test.
///
/// The program asks a scripted model until `OPENAI_BASE_URL` or `OPENAI_MODEL` names a server that speaks the
/// chat-completions API, or a model of it; a key is in `OPENAI_API_KEY`. It depends on the library by its folder or its
/// git address, since the library is in no package registry.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot new orders --path ../cot",
        "cot new letters --template approval --git https://example.org/cot.git",
    ],
    "",
))]
pub(crate) struct New {
    /// The folder to create. Its name is that of the package.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// What the program does.
    #[arg(long, value_enum, default_value_t = Template::Extract)]
    template: Template,
    /// The folder of the library's repository.
    #[arg(long, value_name = "FOLDER", required_unless_present = "git", conflicts_with = "git")]
    path: Option<PathBuf>,
    /// The git address of the library's repository.
    #[arg(long, value_name = "ADDRESS")]
    git: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Template {
    /// Reads a typed value out of a text, with an eval.
    Extract,
    /// Answers questions with a tool.
    Agent,
    /// Writes a letter that a person approves, with a stored run.
    Approval,
    /// Takes tickets over HTTP, with a store and a worker.
    Service,
}

/// Why no program is written.
#[derive(Debug, Error)]
enum NewError {
    #[error(
        "`{0}` can't be the name of a package: it begins with a letter, and has letters, digits, `-` and `_`"
    )]
    Name(String),
    #[error("there is no `cot-core` in `{0}`: `--path` is the folder of the library's repository")]
    NoLibrary(String),
    #[error("`{0}` exists already")]
    Exists(String),
    #[error("can't write `{path}`")]
    Write { path: String, source: io::Error },
}

impl New {
    pub(crate) fn run(self) -> Outcome {
        let name = package_name(&self.folder)?;
        let manifest = self.template.manifest(&name, &self.source()?);
        create(&self.folder)?;
        write(&self.folder.join("Cargo.toml"), &manifest)?;
        write(&self.folder.join(".gitignore"), "/target\n/runs.db*\n")?;
        create(&self.folder.join("src"))?;
        write(&self.folder.join("src/main.rs"), self.template.program())?;
        let folder = self.folder.display();
        output::line(format!(
            "wrote {folder}; next: cd {folder} && cargo test && cargo run\n\
             with a real model: OPENAI_BASE_URL=http://127.0.0.1:8080/v1 cargo run"
        ))?;
        Ok(Verdict::Fine)
    }

    /// Returns where a crate of the library is, as a part of a dependency.
    fn source(&self) -> Result<impl Fn(&str) -> String + use<>, NewError> {
        let path = self.path.as_deref().map(library_folder).transpose()?;
        let git = self.git.as_deref().unwrap_or_default().to_owned();
        Ok(move |folder: &str| match &path {
            Some(path) => format!("path = {}", quoted(&path.join(folder).display().to_string())),
            None => format!("git = {}", quoted(&git)),
        })
    }
}

impl Template {
    const fn program(self) -> &'static str {
        match self {
            Self::Extract => include_str!("../templates/extract.rs"),
            Self::Agent => include_str!("../templates/agent.rs"),
            Self::Approval => include_str!("../templates/approval.rs"),
            Self::Service => include_str!("../templates/service.rs"),
        }
    }

    fn manifest(self, name: &str, source: &impl Fn(&str) -> String) -> String {
        let (core, sqlite) = (source("cot-core"), source("crates/cot-sqlite"));
        let mut manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
             [dependencies]\n"
        );
        if matches!(self, Self::Service) {
            manifest.push_str("axum = \"0.8\"\n");
        }
        manifest.push_str(&format!("cot-core = {{ {core} }}\n"));
        if matches!(self, Self::Approval | Self::Service) {
            manifest.push_str(&format!("cot-sqlite = {{ {sqlite} }}\n"));
        }
        let tokio = match self {
            Self::Extract | Self::Agent | Self::Approval => r#""macros", "rt-multi-thread""#,
            Self::Service => r#""macros", "net", "rt-multi-thread", "signal""#,
        };
        manifest.push_str(&format!(
            "schemars = \"1\"\nserde = {{ version = \"1\", features = [\"derive\"] }}\nserde_json = \"1\"\n\
             tokio = {{ version = \"1\", features = [{tokio}] }}\n"
        ));
        if matches!(self, Self::Extract) {
            manifest.push_str(&format!(
                "\n[dev-dependencies]\ncot-core = {{ {core}, features = [\"eval\"] }}\n"
            ));
        }
        manifest
    }
}

/// Returns the name of the package in a folder.
fn package_name(folder: &Path) -> Result<String, NewError> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_letter) {
        true => Ok(name),
        false => Err(NewError::Name(name)),
    }
}

/// Returns the full path of the library's repository.
fn library_folder(path: &Path) -> Result<PathBuf, NewError> {
    let unknown = || NewError::NoLibrary(path.display().to_string());
    let full = fs::canonicalize(path).map_err(|_| unknown())?;
    full.join("cot-core/Cargo.toml").is_file().then_some(full).ok_or_else(unknown)
}

fn create(folder: &Path) -> Result<(), NewError> {
    fs::create_dir(folder).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => NewError::Exists(folder.display().to_string()),
        _ => NewError::Write { path: folder.display().to_string(), source },
    })
}

fn write(path: &Path, text: &str) -> Result<(), NewError> {
    let path_text = || path.display().to_string();
    fs::write(path, text).map_err(|source| NewError::Write { path: path_text(), source })
}

/// Quotes a text for TOML, whose strings have the escapes of JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
