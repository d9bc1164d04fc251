//! `cot serve`: a web page over the runs in a store.

use std::{
    env, fs, io,
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
};

use annotate_snippets::Level;
use clap::Args;
use cot_store::Store;
use cot_web::{Access, HeaderName, Site};
use thiserror::Error;
use tokio::net::TcpListener;

use crate::{
    help, message, output,
    runs::{StoreFile, report, runtime},
    verdict::{Outcome, Verdict},
};

/// The variable that contains the password.
const PASSWORD: &str = "COT_SERVE_PASSWORD";

/// Serves a web page over the runs in a store, and prints its address.
///
/// The page shows runs while they happen, takes the answers of people, forks, compares, retries and cancels runs, and shows
/// what they cost. The address contains a token that changes with each start. Another address than one of this
/// machine needs a password, or a reverse proxy that identifies users.
#[derive(Debug, Args)]
#[command(after_help = help::after(
    &[
        "cot serve --store runs.db",
        "cot serve --store runs.db --evals reports",
        "cot serve --store runs.db --read-only --listen 127.0.0.1:0",
        "COT_SERVE_PASSWORD=… cot serve --store runs.db --listen 0.0.0.0:4319",
        "cot serve --store runs.db --user-header X-Forwarded-User --host cot.example.org",
    ],
    "",
))]
pub(crate) struct Serve {
    #[command(flatten)]
    store: StoreFile,
    /// The address and port to listen at; port 0 is a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4319")]
    listen: SocketAddr,
    /// Change nothing: the page has no forms.
    #[arg(long)]
    read_only: bool,
    /// Ask visitors for the password in the first line of this file, instead of a token. The variable
    /// `COT_SERVE_PASSWORD` can contain it as well.
    #[arg(long, value_name = "FILE", conflicts_with = "user_header")]
    password_file: Option<PathBuf>,
    /// Admit the users whom a reverse proxy names in this header. It must remove the header from the requests of its clients.
    #[arg(long, value_name = "NAME")]
    user_header: Option<HeaderName>,
    /// Show the reports of evals in this folder: its files whose names end in `.json`.
    #[arg(long, value_name = "FOLDER")]
    evals: Option<PathBuf>,
    /// A name under which the page is reached, besides those of this machine.
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// The address of a reverse proxy whose `X-Forwarded-For` is believed, to count wrong passwords by client. It must add the
    /// address of its client to the header. Without it, all clients of a proxy count as one.
    #[arg(long = "trust-proxy", value_name = "ADDRESS")]
    proxies: Vec<IpAddr>,
}

/// The errors of `cot serve` that are not those of the store.
#[derive(Debug, Error)]
enum ServeError {
    #[error("the password file `{path}` can't be read")]
    PasswordFile { path: String, source: io::Error },
    #[error("the password is empty")]
    EmptyPassword,
    #[error(
        "`{listen}` can be reached by other machines: this needs a password or a reverse proxy"
    )]
    NotLocal { listen: SocketAddr },
    #[error("can't listen at `{listen}`")]
    Listen { listen: SocketAddr, source: io::Error },
}

impl ServeError {
    const fn advice(&self) -> Option<&'static str> {
        match self {
            Self::NotLocal { .. } => Some(
                "set `COT_SERVE_PASSWORD` or `--password-file`, or `--user-header` behind a reverse proxy",
            ),
            Self::Listen { .. } => {
                Some("another program may use the port: `--listen 127.0.0.1:0` takes a free one")
            }
            Self::PasswordFile { .. } | Self::EmptyPassword => None,
        }
    }
}

impl Serve {
    pub(crate) fn run(self) -> Outcome {
        let outcome = self.serve();
        let Err(error) = &outcome else { return outcome };
        let Some(error) = error.downcast_ref::<ServeError>() else {
            return outcome.or_else(report);
        };
        message::error(error);
        if let Some(advice) = error.advice() {
            message::print(Level::HELP, advice);
        }
        Ok(Verdict::Failed)
    }

    fn serve(self) -> Outcome {
        let access = self.access()?;
        let store: Arc<dyn Store> = if self.read_only {
            self.store.open_read_only()?.shared()
        } else {
            self.store.open_writable()?.shared()
        };
        let mut site = Site::new(store).access(access).store_name(self.store.name());
        for host in &self.hosts {
            site = site.host(host);
        }
        for proxy in &self.proxies {
            site = site.trust_proxy(*proxy);
        }
        if let Some(folder) = self.evals {
            site = site.evals(folder);
        }
        if self.read_only {
            site = site.read_only();
        }
        // The runtime of the store. It is never dropped, so that reads of the store that are still waiting do not
        // delay the end.
        runtime()?.block_on(listen(&site, self.listen))?;
        Ok(Verdict::Fine)
    }

    /// Returns how visitors prove that they may see the page.
    fn access(&self) -> Result<Access, ServeError> {
        if let Some(name) = &self.user_header {
            return Ok(Access::header(name.clone()));
        }
        let password = match &self.password_file {
            Some(path) => Some(read_password(path)?),
            None => env::var(PASSWORD).ok(),
        };
        match password {
            Some(password) if password.is_empty() => Err(ServeError::EmptyPassword),
            Some(password) => Ok(Access::password(password)),
            None if self.listen.ip().is_loopback() => Ok(Access::token()),
            None => Err(ServeError::NotLocal { listen: self.listen }),
        }
    }
}

/// Reads the first line of a file.
fn read_password(path: &Path) -> Result<String, ServeError> {
    let text = fs::read_to_string(path)
        .map_err(|source| ServeError::PasswordFile { path: path.display().to_string(), source })?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

async fn listen(site: &Site, listen: SocketAddr) -> Result<(), Box<dyn std::error::Error>> {
    let failed = |source| ServeError::Listen { listen, source };
    let listener = TcpListener::bind(listen).await.map_err(failed)?;
    output::line(site.address(listener.local_addr()?))?;
    message::print(Level::NOTE, "open this address in a browser; Ctrl-C ends the server");
    site.serve(listener, interrupted()).await;
    Ok(())
}

/// Completes when the program is to end.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};

        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminated.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    // An error means that there are no signals: the server ends with its process.
    let _ = tokio::signal::ctrl_c().await;
}
