//! How visitors prove that they may see the site.

use std::{fmt, net::IpAddr};

use axum::http::HeaderName;

use super::{
    attempts::Attempts,
    secret::{Key, random_text},
    sessions::Sessions,
};

/// How visitors of a [`Site`](crate::Site) prove that they may see it.
///
/// The pages show prompts, replies and states, and answers and forks change runs. The default is
/// [`token`](Self::token).
#[derive(Clone)]
pub struct Access(pub(crate) AccessKind);

#[derive(Clone)]
pub(crate) enum AccessKind {
    Token(String),
    Password(String),
    Header(HeaderName),
    Open,
}

impl Access {
    /// A random token in the address, for one person on one machine: [`Site::address`](crate::Site::address)
    /// contains it. A browser that opens the address gets a session, and is led to the same address without the token. The site
    /// answers only to names of this machine (`localhost`, `127.0.0.1`, `[::1]`) and to
    /// [`Site::host`](crate::Site::host), so that pages of other sites can't reach it under a name of theirs.
    ///
    /// # Panics
    ///
    /// If the operating system gives no random bytes.
    #[must_use]
    pub fn token() -> Self {
        Self(AccessKind::Token(random_text()))
    }

    /// A password that all visitors share. A session ends after 12 hours, and a client that has sent 10 wrong passwords within
    /// five minutes can't sign in for the rest of them. Use it with HTTPS: without, the network sees the password.
    ///
    /// Clients differ by their addresses. Behind a reverse proxy these are known with
    /// [`Site::trust_proxy`](crate::Site::trust_proxy), and in a router of a service with `axum`'s
    /// `into_make_service_with_connect_info::<SocketAddr>()`. Without, all clients count as one.
    #[must_use]
    pub fn password(password: impl Into<String>) -> Self {
        Self(AccessKind::Password(password.into()))
    }

    /// A header that a reverse proxy sets to the name of the user it has identified, such as `X-Forwarded-User`. A request
    /// without it is refused.
    ///
    /// The proxy must remove this header from the requests of its clients, and nothing but the proxy may reach the site:
    /// a request that sets the header itself is admitted.
    #[must_use]
    pub const fn header(name: HeaderName) -> Self {
        Self(AccessKind::Header(name))
    }

    /// No check: for a service whose own layers check every request before the site receives it.
    #[must_use]
    pub const fn open() -> Self {
        Self(AccessKind::Open)
    }
}

impl Default for Access {
    fn default() -> Self {
        Self::token()
    }
}

impl fmt::Debug for Access {
    /// Writes the kind of access, and no secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            AccessKind::Token(_) => f.write_str("Token"),
            AccessKind::Password(_) => f.write_str("Password"),
            AccessKind::Header(name) => write!(f, "Header({name})"),
            AccessKind::Open => f.write_str("Open"),
        }
    }
}

/// What decides whether a request is admitted.
pub(crate) struct Gate {
    pub(crate) kind: AccessKind,
    pub(crate) key: Key,
    /// Names of the site besides those of this machine, in lower case, without ports.
    pub(crate) hosts: Vec<String>,
    /// The proxies whose `X-Forwarded-For` is believed.
    pub(crate) proxies: Vec<IpAddr>,
    pub(crate) attempts: Attempts,
    pub(crate) sessions: Sessions,
}

impl Gate {
    pub(crate) fn new(access: Access, hosts: Vec<String>, proxies: Vec<IpAddr>) -> Self {
        let (attempts, sessions) = (Attempts::default(), Sessions::default());
        Self { kind: access.0, key: Key::random(), hosts, proxies, attempts, sessions }
    }
}
