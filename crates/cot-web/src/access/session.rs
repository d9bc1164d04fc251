//! Sessions: cookies with a random id.

use std::time::{Duration, SystemTime};

use axum::http::{HeaderMap, HeaderValue, header};

use super::{
    access::{AccessKind, Gate},
    origin::host,
    secret::random_text,
};
use crate::{links::Links, visit::Visitor};

/// How long a session lasts.
const LENGTH: Duration = Duration::from_secs(12 * 3_600);
/// What a session of a token lasts: the token changes with each start of the program.
const TOKEN_LENGTH: Duration = Duration::from_secs(30 * 86_400);
impl Gate {
    /// Returns the visitor of a request, if it has access.
    pub(crate) fn visitor(&self, headers: &HeaderMap, now: SystemTime) -> Option<Visitor> {
        match &self.kind {
            AccessKind::Open => Some(self.identified(None)),
            AccessKind::Header(name) => {
                let user = headers.get(name)?.to_str().ok()?.trim();
                (!user.is_empty()).then(|| self.identified(Some(user.to_owned())))
            }
            AccessKind::Token(_) | AccessKind::Password(_) => self.session(headers, now),
        }
    }

    /// Returns whether a token is that of the site.
    pub(crate) fn is_token(&self, token: &str) -> bool {
        matches!(&self.kind, AccessKind::Token(expected) if self.key.is_equal(expected, token))
    }

    /// Returns whether a password is that of the site.
    pub(crate) fn is_password(&self, password: &str) -> bool {
        matches!(&self.kind, AccessKind::Password(expected) if self.key.is_equal(expected, password))
    }

    /// Opens a session. Returns its cookie.
    pub(crate) fn cookie(
        &self,
        headers: &HeaderMap,
        links: &Links,
        now: SystemTime,
    ) -> HeaderValue {
        let length = if matches!(self.kind, AccessKind::Token(_)) { TOKEN_LENGTH } else { LENGTH };
        let id = random_text();
        self.sessions.open(self.session_of(&id), now, now + length);
        set_cookie(headers, links, &id, "")
    }

    fn session(&self, headers: &HeaderMap, now: SystemTime) -> Option<Visitor> {
        let name = cookie_name(headers);
        let mut sessions = cookies(headers).filter(|(cookie, _)| *cookie == name);
        sessions.find_map(|(_, id)| {
            let session = self.session_of(id);
            self.sessions.is_open(&session, now).then(|| Visitor {
                name: None,
                csrf: self.key.sign(&["csrf", id]),
                session: Some(session),
            })
        })
    }

    /// Returns what stands for an id in the table. The time of a search in it says nothing about ids.
    fn session_of(&self, id: &str) -> String {
        self.key.sign(&["session", id])
    }

    /// Creates a visitor whom somebody else has identified.
    fn identified(&self, name: Option<String>) -> Visitor {
        let csrf = self.key.sign(&["csrf of", name.as_deref().unwrap_or_default()]);
        Visitor { name, csrf, session: None }
    }
}

/// Creates the cookie that ends a session.
pub(crate) fn end_cookie(headers: &HeaderMap, links: &Links) -> HeaderValue {
    set_cookie(headers, links, "", "; Max-Age=0")
}

fn set_cookie(headers: &HeaderMap, links: &Links, value: &str, more: &str) -> HeaderValue {
    let is_https = headers.get("x-forwarded-proto").is_some_and(|scheme| scheme == "https");
    let (name, path) = (cookie_name(headers), links.root());
    let secure = if is_https { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path={path}; HttpOnly; SameSite=Strict{secure}{more}");
    HeaderValue::from_str(&cookie).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// Returns the name of the cookie. Cookies do not differ by port, so that two sites of one machine need two names.
fn cookie_name(headers: &HeaderMap) -> String {
    let port = host(headers).and_then(|host| host.port.map(|port| format!("_{port}")));
    format!("cot_session{}", port.unwrap_or_default())
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim().split_once('='))
}
