//! Calls of rustfmt.

use std::{
    env,
    ffi::OsString,
    io::{self, Read, Write as _},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use cot_format::Refusal;
use tempfile::NamedTempFile;
use thiserror::Error;

/// The time after which a call is given up.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// A file with the configuration of rustfmt for the code in bodies.
#[derive(Debug)]
pub(super) struct Config {
    file: NamedTempFile,
}

impl Config {
    /// Writes the configuration. Without it, rustfmt would take that of the folder.
    pub(super) fn create(width: u16) -> io::Result<Self> {
        let mut file = tempfile::Builder::new().prefix("rustfmt").suffix(".toml").tempfile()?;
        write!(
            file,
            "max_width = {width}\nuse_small_heuristics = \"Max\"\nnewline_style = \"Unix\"\n\
             style_edition = \"2024\"\nremove_nested_parens = false\n"
        )?;
        Ok(Self { file })
    }
}

/// The program rustfmt.
#[derive(Debug)]
pub(super) struct Rustfmt<'a> {
    pub(super) edition: &'a str,
    /// `None` takes the configuration that rustfmt finds.
    pub(super) config: Option<&'a Config>,
}

/// The error for code that is not formatted.
#[derive(Debug, Error)]
pub(super) enum RustfmtError {
    #[error("can't run rustfmt: {0}")]
    Start(#[from] io::Error),
    #[error("rustfmt refused the code: {0}")]
    Refused(String),
    #[error("rustfmt did not end within {} seconds", TIME_LIMIT.as_secs())]
    TimedOut,
}

impl RustfmtError {
    /// Returns whether the code is the reason, or the program.
    pub(super) const fn refusal(&self) -> Refusal {
        match self {
            Self::Refused(_) => Refusal::Code,
            Self::Start(_) | Self::TimedOut => Refusal::Program,
        }
    }
}

impl Rustfmt<'_> {
    /// Formats a file.
    pub(super) fn format(&self, code: &str) -> Result<String, RustfmtError> {
        let mut child = self.command().spawn()?;
        let answer = exchange(&mut child, code);
        let received = match answer.recv_timeout(TIME_LIMIT) {
            Ok(received) => received,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                child.kill()?;
                child.wait()?;
                return Err(RustfmtError::TimedOut);
            }
        };
        child.wait()?;
        let (out, errors) = received?;
        // rustfmt fails also for what it can't improve, such as a line that is too long. Then it prints the code.
        if out.trim().is_empty() && !code.trim().is_empty() {
            return Err(RustfmtError::Refused(errors.trim().to_owned()));
        }
        Ok(out)
    }

    fn command(&self) -> Command {
        let program = env::var_os("RUSTFMT").unwrap_or_else(|| OsString::from("rustfmt"));
        let mut command = Command::new(program);
        command.args(["--quiet", "--color", "never", "--edition", self.edition]);
        if let Some(config) = self.config {
            command.arg("--config-path").arg(config.file.path());
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// The standard output and error of a call.
type Received = io::Result<(String, String)>;

/// Writes code to a process and reads what it prints, in threads of their own.
fn exchange(child: &mut Child, code: &str) -> mpsc::Receiver<Received> {
    let (send, receive) = mpsc::channel();
    let (input, out, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let code = code.to_owned();
    thread::spawn(move || {
        // A process that refuses its input closes it.
        let _ = input.map(|mut input| input.write_all(code.as_bytes()));
    });
    let errors = thread::spawn(move || read(errors));
    thread::spawn(move || {
        let out = read(out);
        let errors = errors.join().unwrap_or_else(|_| Ok(String::new()));
        let _ = send.send(out.and_then(|out| Ok((out, errors?))));
    });
    receive
}

fn read(pipe: Option<impl Read>) -> io::Result<String> {
    let mut text = String::new();
    if let Some(mut pipe) = pipe {
        pipe.read_to_string(&mut text)?;
    }
    Ok(text)
}
