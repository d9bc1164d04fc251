//! The lock files that show whether a store is alive.

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    path::{Path, PathBuf},
};

use cot_core::{RunError, model::ScriptedModel, store::Store};

use crate::{
    driving::Counter,
    kit::{Place, begun, describe_panic, id, run_of},
};

impl Place {
    fn folder_of_owners(&self) -> PathBuf {
        self.path.with_extension("db.owners")
    }

    fn only_owner(&self) -> PathBuf {
        let mut files = fs::read_dir(self.folder_of_owners()).unwrap();
        let file = files.next().unwrap().unwrap().path();
        assert!(files.next().is_none());
        file
    }
}

/// Makes the file unreadable, even for root.
fn make_unreadable(file: &Path) {
    fs::remove_file(file).unwrap();
    symlink(file, file).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn a_driver_that_can_not_be_looked_at_is_reported() {
    let place = Place::new();
    let (first, second) = (place.open(), place.open());
    let mut record = begun();
    if let cot_core::store::Record::Begun(begun) = &mut record {
        begun.process = "Counter".to_owned();
    }
    let (run, _lease) = run_of(&first, "run", vec![record]).await;
    make_unreadable(&place.only_owner());

    let summary = second.run(&run).await.unwrap().unwrap();
    let error = summary.driver_error.unwrap();
    assert!(!summary.is_driven);
    let process = format!("process {}", std::process::id());
    assert!(error.contains(&process) && error.contains(".lock"), "{error}");

    let refused = second.acquire(&run).await.unwrap_err();
    assert!(describe_panic(&refused).contains(&error), "{}", describe_panic(&refused));
    // Other runs are not affected.
    drop(second.acquire(&id("another")).await.unwrap());

    let runner = Counter::runner().model(ScriptedModel::new([""])).store(second);
    let refused = runner.resume("run").unwrap().await.unwrap_err();
    assert!(matches!(refused, RunError::Store(_)), "{refused:?}");
    assert!(describe_panic(&refused).contains(&error), "{}", describe_panic(&refused));
    // A worker does not leave it out in silence.
    let refused = runner.worker(place.open()).run_until_idle().await.unwrap_err();
    assert!(describe_panic(&refused).contains(&error), "{}", describe_panic(&refused));
}

#[tokio::test]
async fn whoever_may_use_the_database_may_look_for_drivers() {
    for (database, folder) in [(0o600, 0o700), (0o640, 0o750), (0o664, 0o775), (0o666, 0o777)] {
        let place = Place::new();
        let store = place.open();
        fs::set_permissions(&place.path, fs::Permissions::from_mode(database)).unwrap();
        let (_, lease) = run_of(&store, "run", vec![begun()]).await;
        assert_eq!(mode(&place.only_owner()), database);
        assert_eq!(mode(&place.folder_of_owners()), folder);
        drop(lease);
    }
}
