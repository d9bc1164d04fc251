//! Serves the assets under names with the hash of their content, so that browsers keep them.

use std::sync::LazyLock;

use axum::{
    Router,
    extract::Path,
    http::header,
    response::{IntoResponse, Response},
    routing::get,
};
use sha2::{Digest, Sha256};

use crate::{error::PageError, state::AppState};

/// The style of all pages.
pub(crate) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("style", "css", "text/css; charset=utf-8", include_str!("style.css"))
});
/// The script of all pages.
pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("page", "js", "text/javascript; charset=utf-8", include_str!("page.js"))
});
/// The icon of the site.
pub(crate) static ICON: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("icon", "svg", "image/svg+xml", include_str!("icon.svg")));

/// A file that is part of the library.
pub(crate) struct Asset {
    address: String,
    media_type: &'static str,
    content: &'static str,
}

impl Asset {
    fn new(name: &str, extension: &str, media_type: &'static str, content: &'static str) -> Self {
        use std::fmt::Write;

        let mut hash = String::new();
        for byte in Sha256::digest(content).iter().take(6) {
            _ = write!(hash, "{byte:02x}");
        }
        Self { address: format!("{name}-{hash}.{extension}"), media_type, content }
    }

    /// Returns the name with the hash of the content.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }
}

pub(crate) fn routes() -> Router<AppState> {
    Router::new().route("/assets/{name}", get(serve))
}

async fn serve(Path(name): Path<String>) -> Result<Response, PageError> {
    let assets = [&*STYLE, &*SCRIPT, &*ICON];
    let asset = assets.into_iter().find(|asset| asset.address == name);
    let asset = asset.ok_or_else(PageError::not_found)?;
    let headers = [
        (header::CONTENT_TYPE, asset.media_type),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ];
    Ok((headers, asset.content).into_response())
}
