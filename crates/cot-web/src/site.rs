//! The site: what it shows, and who may see it.

use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use axum::{Router, extract::RawQuery, middleware::from_fn_with_state, routing::get};
use cot_store::Store;
use tokio::net::TcpListener;

use crate::{
    access::{
        access::{Access, AccessKind, Gate},
        guard::guard,
        login,
    },
    assets, costs,
    error::PageError,
    evals::{self, reports::Reports},
    frame::page::see_other,
    links::Links,
    live::live::Live,
    people, run,
    runs::{self, overview::OverviewCache},
    server::serve::serve,
    state::{AppState, Shared},
    travel,
};

/// How often the store is asked what has changed, while a page listens.
const PERIOD: Duration = Duration::from_millis(500);
/// How many connections a server has at once.
const MAX_CONNECTIONS: usize = 512;

/// A page over the runs in a store.
///
/// [`router`](Self::router) makes a router to mount in a service; [`serve`](Self::serve) serves the page alone.
#[derive(Clone)]
pub struct Site {
    store: Arc<dyn Store>,
    access: Access,
    hosts: Vec<String>,
    proxies: Vec<IpAddr>,
    max_connections: usize,
    prefix: String,
    store_name: Option<String>,
    reports: Option<Reports>,
    is_read_only: bool,
    period: Duration,
}

impl Site {
    /// Creates the page over a store, with a random [token](Access::token).
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            access: Access::default(),
            hosts: Vec::new(),
            proxies: Vec::new(),
            max_connections: MAX_CONNECTIONS,
            prefix: String::new(),
            store_name: None,
            reports: None,
            is_read_only: false,
            period: PERIOD,
        }
    }

    /// Sets how visitors prove that they may see the page.
    #[must_use]
    pub fn access(mut self, access: Access) -> Self {
        self.access = access;
        self
    }

    /// Adds a name under which the page is reached, without a port. A page with a token answers to names of this machine
    /// and to these; with another access, it answers to any name unless one is added.
    #[must_use]
    pub fn host(mut self, name: impl Into<String>) -> Self {
        self.hosts.push(name.into().to_ascii_lowercase());
        self
    }

    /// Adds the address of a reverse proxy whose `X-Forwarded-For` is believed, so that clients behind it are distinguished when
    /// they try [passwords](Access::password). Default: none. The proxy must add the address of its client to this header.
    #[must_use]
    pub fn trust_proxy(mut self, address: IpAddr) -> Self {
        self.proxies.push(address.to_canonical());
        self
    }

    /// Sets how many connections [`serve`](Self::serve) has at once. Default: 512. A further one takes the place of the oldest
    /// on which no visitor with access has sent a request, and is closed if there is none.
    #[must_use]
    pub const fn max_connections(mut self, connections: usize) -> Self {
        self.max_connections = connections;
        self
    }

    /// Sets the path of the pages, such as `/cot`, for a service with routes of its own. Default: the root.
    #[must_use]
    pub fn nested_at(mut self, path: impl Into<String>) -> Self {
        self.prefix = path.into();
        self
    }

    /// Sets what the store is called at the foot of the pages, such as the name of its file.
    #[must_use]
    pub fn store_name(mut self, name: impl Into<String>) -> Self {
        self.store_name = Some(name.into());
        self
    }

    /// Shows the reports of evals in a folder: its files whose names end in `.json`, each with a report as JSON.
    #[must_use]
    pub fn evals(mut self, folder: impl Into<PathBuf>) -> Self {
        self.reports = Some(Reports::new(folder.into()));
        self
    }

    /// Makes the page read-only: it has no forms, and refuses every request that would change something.
    #[must_use]
    pub const fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self
    }

    /// Sets how often the store is asked what has changed, while a page is open. Default: 500 ms. All open pages share the
    /// answer.
    #[must_use]
    pub const fn poll_every(mut self, period: Duration) -> Self {
        self.period = period;
        self
    }

    /// Returns the address to open in a browser, for a server that listens at `listening`. It contains the token, if the page
    /// has one.
    #[must_use]
    pub fn address(&self, listening: SocketAddr) -> String {
        let path = Links::new(&self.prefix).home();
        match &self.access.0 {
            AccessKind::Token(token) => format!("http://{listening}{path}?token={token}"),
            _ => format!("http://{listening}{path}"),
        }
    }

    /// Makes the router, with all pages below the path of [`nested_at`](Self::nested_at). A service
    /// [merges](Router::merge) it with its own routes.
    ///
    /// A router has no part in connections: it limits the size of a form and the time in which it arrives. The server of the
    /// service limits how many connections there are and how long they wait for a request; `axum::serve` limits neither.
    /// Connections stay open while pages follow the store. [`serve`](Self::serve) has these limits, and ends the connections.
    pub fn router(&self) -> Router {
        routes(&self.state())
    }

    /// Serves the page over HTTP/1.1 until `shutdown` completes, and then ends the streams of open pages and completes the
    /// requests in flight, for 3 seconds at most.
    ///
    /// A connection that sends no complete head of a request for 30 seconds is closed. [`max_connections`](Self::max_connections)
    /// limits their number.
    pub async fn serve(&self, listener: TcpListener, shutdown: impl Future<Output = ()> + Send) {
        let state = self.state();
        let shutdown = async {
            shutdown.await;
            state.live().close();
        };
        serve(listener, routes(&state), self.max_connections, shutdown).await;
    }

    fn state(&self) -> AppState {
        AppState::new(Shared {
            store: Arc::clone(&self.store),
            links: Links::new(&self.prefix),
            gate: Gate::new(self.access.clone(), self.hosts.clone(), self.proxies.clone()),
            live: Live::new(self.period),
            overview: OverviewCache::default(),
            reports: self.reports.clone(),
            is_read_only: self.is_read_only,
            store_name: self.store_name.clone(),
        })
    }
}

impl std::fmt::Debug for Site {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { access, is_read_only, .. } = self;
        f.debug_struct("Site")
            .field("access", access)
            .field("is_read_only", is_read_only)
            .finish_non_exhaustive()
    }
}

/// Makes the router, whose pages are below the prefix of their links.
fn routes(state: &AppState) -> Router {
    let (pages, links) = (pages(state), state.links());
    if links.root() == "/" {
        return pages;
    }
    let home = links.home();
    let with_slash = format!("{home}/");
    let router = Router::new().nest(&home, pages);
    let redirect = |RawQuery(query): RawQuery| async move {
        see_other(&query.map_or(home.clone(), |query| format!("{home}?{query}")))
    };
    router.route(&with_slash, get(redirect))
}

fn pages(state: &AppState) -> Router {
    Router::new()
        .merge(runs::routes::routes())
        .merge(run::routes::routes())
        .merge(people::routes::routes())
        .merge(travel::routes::routes())
        .merge(costs::routes::routes())
        .merge(evals::routes::routes())
        .merge(login::routes())
        .merge(assets::serve::routes())
        .fallback(|| async { PageError::not_found() })
        .layer(from_fn_with_state(state.clone(), guard))
        .with_state(state.clone())
}
