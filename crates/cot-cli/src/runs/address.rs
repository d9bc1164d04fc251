//! The addresses of stores.

use std::{convert::Infallible, fmt, path::PathBuf, str::FromStr};

/// The address of a store: `sqlite:FILE` or a path; `postgres://…`, with the schema after a `#` if it is not `cot`.
#[derive(Clone)]
pub(crate) enum Address {
    File(PathBuf),
    Postgres {
        #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "there is no client"))]
        url: String,
        schema: Option<String>,
    },
}

impl FromStr for Address {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            let (url, schema) = match text.split_once('#') {
                Some((url, schema)) => (url, Some(schema.to_owned())),
                None => (text, None),
            };
            return Ok(Self::Postgres { url: url.to_owned(), schema });
        }
        Ok(Self::File(text.strip_prefix("sqlite:").unwrap_or(text).into()))
    }
}

impl fmt::Display for Address {
    /// Writes the path, or the kind of the server: its address may have a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Postgres { schema: Some(schema), .. } => write!(f, "Postgres, schema {schema}"),
            Self::Postgres { schema: None, .. } => f.write_str("Postgres"),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}
