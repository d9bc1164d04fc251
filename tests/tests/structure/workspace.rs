//! The packages of the workspace, as `cargo metadata` lists them.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// A package of this workspace.
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    /// The packages of this workspace that it depends on, dev-dependencies aside.
    pub(crate) depends_on: BTreeSet<String>,
}

impl Package {
    /// Whether users can depend on it: the others hold tests, examples and the book.
    pub(crate) fn is_library(&self) -> bool {
        let others = ["book", "examples", "tests"];
        others.iter().all(|folder| !self.folder.starts_with(root().join(folder)))
    }

    /// The file in which its modules begin.
    pub(crate) fn root_file(&self) -> PathBuf {
        let source = self.folder.join("src");
        [source.join("lib.rs"), source.join("main.rs")]
            .into_iter()
            .find(|file| file.exists())
            .unwrap_or_else(|| panic!("{} has no source", self.name))
    }
}

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// All packages of the workspace.
pub(crate) fn packages() -> Vec<Package> {
    let metadata = cargo(&["metadata", "--format-version", "1", "--no-deps", "--offline"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    packages.iter().map(package).collect()
}

/// Runs cargo in the workspace and returns its output.
pub(crate) fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn package(json: &Value) -> Package {
    let dependencies = json["dependencies"].as_array().unwrap().iter();
    // A dependency within the workspace has a path, and one that only tests have is of the kind `dev`.
    let local = dependencies.filter(|of| of["path"].is_string() && of["kind"] != "dev");
    let manifest = Path::new(json["manifest_path"].as_str().unwrap());
    Package {
        name: json["name"].as_str().unwrap().to_owned(),
        folder: manifest.parent().unwrap().to_owned(),
        depends_on: local.map(|of| of["name"].as_str().unwrap().to_owned()).collect(),
    }
}
