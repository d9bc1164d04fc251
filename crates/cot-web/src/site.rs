//! The site: what it shows, and who may see it.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::{Router, middleware::from_fn_with_state};
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
    links::Links,
    live::live::Live,
    people, run,
    runs::{self, overview::OverviewCache},
    state::{AppState, Shared},
    travel,
};

/// How often the store is asked what has changed, while a page listens.
const PERIOD: Duration = Duration::from_millis(500);
/// How long requests that are in flight may take after the end of a server was requested.
const GRACE: Duration = Duration::from_secs(3);

/// A page over the runs in a store.
///
/// [`router`](Self::router) makes a router to mount in a service; [`serve`](Self::serve) serves the page alone.
#[derive(Clone)]
pub struct Site {
    store: Arc<dyn Store>,
    access: Access,
    hosts: Vec<String>,
    prefix: String,
    store_name: Option<String>,
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
            prefix: String::new(),
            store_name: None,
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

    /// Sets the path under which the router is nested in that of a service, such as `/cot`. Default: the root.
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

    /// Makes the router. Its connections stay open while pages follow the store; [`serve`](Self::serve) ends them.
    pub fn router(&self) -> Router {
        routes(&self.state())
    }

    /// Serves the page until `shutdown` completes, and then ends the streams of open pages and the requests in flight.
    ///
    /// # Errors
    ///
    /// An error of the listener.
    pub async fn serve(
        &self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let state = self.state();
        let (closing, mut closed) = (state.clone(), state.live().closing());
        let shutdown = async move {
            shutdown.await;
            closing.live().close();
        };
        let server = axum::serve(listener, routes(&state)).with_graceful_shutdown(shutdown);
        let late = async {
            let _ = closed.wait_for(|closed| *closed).await;
            tokio::time::sleep(GRACE).await;
        };
        tokio::select! {
            result = async { server.await } => result,
            () = late => Ok(()),
        }
    }

    fn state(&self) -> AppState {
        AppState::new(Shared {
            store: Arc::clone(&self.store),
            links: Links::new(&self.prefix),
            gate: Gate::new(self.access.clone(), self.hosts.clone()),
            live: Live::new(self.period),
            overview: OverviewCache::default(),
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

fn routes(state: &AppState) -> Router {
    Router::new()
        .merge(runs::routes::routes())
        .merge(run::routes::routes())
        .merge(people::routes::routes())
        .merge(travel::routes::routes())
        .merge(costs::routes::routes())
        .merge(login::routes())
        .merge(assets::serve::routes())
        .fallback(|| async { PageError::not_found() })
        .layer(from_fn_with_state(state.clone(), guard))
        .with_state(state.clone())
}
