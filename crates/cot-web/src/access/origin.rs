//! Where a request comes from, and under which name it reaches the site.

use axum::http::{HeaderMap, header};

use super::access::{AccessKind, Gate};

/// The name and the port of a site.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Host<'a> {
    pub(crate) name: &'a str,
    pub(crate) port: Option<&'a str>,
}

/// Returns the name under which a request reached the site.
pub(crate) fn host(headers: &HeaderMap) -> Option<Host<'_>> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next()?.to_str().ok()?;
    if hosts.next().is_some() { None } else { parse_host(host) }
}

/// Parses `name`, `name:port`, and `[::1]:port`.
fn parse_host(text: &str) -> Option<Host<'_>> {
    let end = text.rfind(']').map_or(0, |end| end + 1);
    let (name, port) = match text.get(end..)?.find(':') {
        Some(colon) => (text.get(..end + colon)?, text.get(end + colon + 1..)),
        None => (text, None),
    };
    let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok());
    (!name.is_empty() && is_port).then_some(Host { name, port })
}

impl Gate {
    /// Returns whether the site answers to the name of the request. A site with a token is reached under names of this machine
    /// alone: a page of another site that lets its own name lead here (DNS rebinding) gets nothing.
    pub(crate) fn knows_host(&self, headers: &HeaderMap) -> bool {
        let is_local_only = matches!(self.kind, AccessKind::Token(_));
        if !is_local_only && self.hosts.is_empty() {
            return true;
        }
        let Some(Host { name, .. }) = host(headers) else { return false };
        let name = name.to_ascii_lowercase();
        let is_local = ["localhost", "127.0.0.1", "[::1]"].contains(&name.as_str());
        (is_local && is_local_only) || self.hosts.contains(&name)
    }
}

/// Returns whether a request that changes something comes from a page of the site itself, as far as the browser says. Programs that
/// are no browsers send neither header; the token of the form is checked in any case.
pub(crate) fn is_same_origin(headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin";
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Some((_, origin)) = origin.to_str().ok().and_then(|origin| origin.split_once("://")) else {
        return false;
    };
    // A reverse proxy can leave a port out that is the default of the scheme.
    match (parse_host(origin), host(headers)) {
        (Some(origin), Some(host)) => {
            origin.name.eq_ignore_ascii_case(host.name)
                && (origin.port == host.port || origin.port.is_none() || host.port.is_none())
        }
        _ => false,
    }
}

/// Returns whether a link on a page of another site led here. The browser sends no session then.
pub(crate) fn is_cross_site_link(headers: &HeaderMap) -> bool {
    let has = |name, value: &str| headers.get(name).is_some_and(|header| header == value);
    has("sec-fetch-site", "cross-site") && has("sec-fetch-mode", "navigate")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_have_names_and_ports() {
        let host = |name, port| Some(Host { name, port });
        assert_eq!(parse_host("a.example"), host("a.example", None));
        assert_eq!(parse_host("localhost:80"), host("localhost", Some("80")));
        assert_eq!(parse_host("[::1]:4319"), host("[::1]", Some("4319")));
        assert_eq!(parse_host("[::1]"), host("[::1]", None));
        for wrong in ["", ":80", "a:b", "a:1:2", "a:99999"] {
            assert_eq!(parse_host(wrong), None, "{wrong}");
        }
    }
}
