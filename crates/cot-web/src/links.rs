//! The addresses of the pages.

use std::{fmt::Display, sync::Arc};

use cot_store::RunId;

/// Makes the addresses of the pages, below the path under which the site is mounted. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct Links {
    prefix: Arc<str>,
}

impl Links {
    /// Creates the addresses of a site under a path such as `/cot`; empty for the root.
    pub(crate) fn new(prefix: &str) -> Self {
        let prefix = prefix.trim_matches('/');
        let prefix = if prefix.is_empty() { String::new() } else { format!("/{prefix}") };
        Self { prefix: prefix.into() }
    }

    /// Returns the path for cookies: that of the root.
    pub(crate) fn root(&self) -> &str {
        if self.prefix.is_empty() { "/" } else { &self.prefix }
    }

    /// Returns the address of a path within the site. A path that a browser could take for another site leads home.
    pub(crate) fn within(&self, path: &str) -> String {
        if path == "/" || !is_local(path) { self.home() } else { format!("{}{path}", self.prefix) }
    }

    /// The table of runs.
    pub(crate) fn home(&self) -> String {
        self.root().to_owned()
    }

    /// The table of runs with a query, whose names and values are encoded.
    pub(crate) fn home_with(&self, query: &[(&str, &str)]) -> String {
        with_query(self.home(), query)
    }

    /// The events of the table of runs.
    pub(crate) fn live(&self) -> String {
        self.within("/live")
    }

    /// One run.
    pub(crate) fn run(&self, run: &RunId) -> String {
        self.below(run, "")
    }

    /// The events of one run.
    pub(crate) fn run_live(&self, run: &RunId) -> String {
        self.below(run, "/live")
    }

    /// The state of a run after a step.
    pub(crate) fn step(&self, run: &RunId, step: impl Display) -> String {
        self.below(run, &format!("/steps/{step}"))
    }

    /// The whole texts of an entry of the journal, with one of them in front: `reply`, `result`, `prompt.2`.
    pub(crate) fn entry(&self, run: &RunId, entry: u64, part: &str) -> String {
        with_query(self.below(run, &format!("/entries/{entry}")), &[("part", part)])
    }

    /// A run as a case of an eval.
    pub(crate) fn case(&self, run: &RunId) -> String {
        self.below(run, "/case")
    }

    /// The form that forks a run at a step.
    pub(crate) fn fork(&self, run: &RunId, at: Option<u64>) -> String {
        let page = self.below(run, "/fork");
        at.map_or(page.clone(), |at| format!("{page}?at={at}"))
    }

    /// Where a fork is posted, a cancel and a retry as well.
    pub(crate) fn cancel(&self, run: &RunId) -> String {
        self.below(run, "/cancel")
    }

    /// Puts a run back that was set aside.
    pub(crate) fn retry(&self, run: &RunId) -> String {
        self.below(run, "/retry")
    }

    /// Two runs side by side; without them, the form that asks for them.
    pub(crate) fn compare(&self, a: Option<&RunId>, b: Option<&RunId>) -> String {
        let runs = [("a", a), ("b", b)];
        let query: Vec<_> =
            runs.iter().filter_map(|(name, run)| Some((*name, run.as_ref()?.as_str()))).collect();
        with_query(self.within("/compare"), &query)
    }

    /// The questions that wait for people.
    pub(crate) fn people(&self) -> String {
        self.within("/people")
    }

    /// The form that answers the question of a run.
    pub(crate) fn answer(&self, run: &RunId) -> String {
        self.within(&format!("/people/{}", segment(run)))
    }

    /// The form that answers several questions of a task, which its query names.
    pub(crate) fn answers(&self) -> String {
        self.within("/answers")
    }

    /// The form that submits a run.
    pub(crate) fn start(&self) -> String {
        self.within("/start")
    }

    /// What runs cost.
    pub(crate) fn costs(&self) -> String {
        self.within("/costs")
    }

    /// The reports of evals.
    pub(crate) fn evals(&self) -> String {
        self.within("/evals")
    }

    /// A report of an eval, by its file.
    pub(crate) fn eval_report(&self, file: &str) -> String {
        with_query(self.within("/evals/report"), &[("file", file)])
    }

    /// The cases of a report after so many.
    pub(crate) fn eval_cases(&self, file: &str, after: usize) -> String {
        let query = [("file", file), ("after", &after.to_string())];
        with_query(self.within("/evals/report"), &query) + "#cases"
    }

    /// The trials of a case in a report.
    pub(crate) fn eval_case(&self, file: &str, case: &str) -> String {
        with_query(self.within("/evals/case"), &[("file", file), ("case", case)])
    }

    /// The login page, which leads to an address within the site.
    pub(crate) fn login(&self) -> String {
        self.within("/login")
    }

    /// Where the end of a session is posted.
    pub(crate) fn logout(&self) -> String {
        self.within("/logout")
    }

    /// An asset, by its name with the hash of its content.
    pub(crate) fn asset(&self, name: &str) -> String {
        self.within(&format!("/assets/{name}"))
    }

    fn below(&self, run: &RunId, path: &str) -> String {
        self.within(&format!("/runs/{}{path}", segment(run)))
    }
}

/// Returns whether a path names no other host: browsers read `//host` and `/\host` as one, and remove characters that are
/// not graphic.
fn is_local(path: &str) -> bool {
    let is_plain = path.chars().all(|c| c.is_ascii_graphic() && c != '\\');
    path.starts_with('/') && !path.starts_with("//") && is_plain
}

/// Adds a query to an address.
pub(crate) fn with_query(address: String, query: &[(&str, &str)]) -> String {
    if query.is_empty() {
        return address;
    }
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    format!("{address}?{query}")
}

/// Returns the name of a run as a segment of a path. Browsers resolve the segments `.` and `..`, which are names of
/// runs as well; `~` in front of a name is removed by [`parse_segment`].
fn segment(run: &RunId) -> String {
    let name = run.as_str();
    if name.trim_matches('.').is_empty() { format!("~{name}") } else { name.to_owned() }
}

/// Parses the segment of a path that names a run.
pub(crate) fn parse_segment(text: &str) -> Option<RunId> {
    text.strip_prefix('~').unwrap_or(text).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_below_the_prefix() {
        let run: RunId = "a:b".parse().unwrap();
        assert_eq!(Links::new("").home(), "/");
        assert_eq!(Links::new("/cot/").home(), "/cot");
        assert_eq!(Links::new("cot").step(&run, 3), "/cot/runs/a:b/steps/3");
        assert_eq!(Links::new("").compare(Some(&run), None), "/compare?a=a%3Ab");
        assert_eq!(Links::new("").home_with(&[("q", "ä&")]), "/?q=%C3%A4%26");
    }

    #[test]
    fn a_path_that_names_another_host_leads_home() {
        for prefix in ["", "/cot"] {
            let links = Links::new(prefix);
            for path in
                ["", "a", "//a", "///a", "/\\a", "/a\\b", "/\t/a", "/a\r\nx: 1", "/a b", "/ä"]
            {
                assert_eq!(links.within(path), links.home(), "{path:?}");
            }
            assert_eq!(links.within("/a//b?c=/"), format!("{prefix}/a//b?c=/"));
        }
    }

    #[test]
    fn runs_named_like_folders_have_an_address() {
        let run: RunId = "..".parse().unwrap();
        assert_eq!(Links::new("").run(&run), "/runs/~..");
        assert_eq!(parse_segment("~.."), Some(run));
        assert_eq!(parse_segment("a b"), None);
    }
}
