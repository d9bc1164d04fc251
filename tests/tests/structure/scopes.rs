//! What a path in a module stands for.

use std::collections::{HashMap, HashSet};

use crate::modules::{Module, Names};

/// Finds the module that defines what a path names, through imports and re-exports; `None` if this is no item of
/// the crate.
pub(crate) fn defining_module(
    modules: &HashMap<Names, Module>,
    at: &[String],
    path: &[String],
) -> Option<Names> {
    Resolver { modules, seen: HashSet::new() }.item(at, path)
}

struct Resolver<'a> {
    modules: &'a HashMap<Names, Module>,
    /// The names under way, since re-exports may form circles.
    seen: HashSet<(Names, String)>,
}

/// What a name stands for.
enum Named {
    Module(Names),
    ItemOf(Names),
}

impl Resolver<'_> {
    fn item(&mut self, at: &[String], path: &[String]) -> Option<Names> {
        match self.path(at, path)? {
            Named::ItemOf(module) => Some(module),
            Named::Module(_) => None,
        }
    }

    fn path(&mut self, at: &[String], path: &[String]) -> Option<Named> {
        let (mut place, rest) = self.start(at, path)?;
        for name in rest {
            match place {
                Named::Module(module) => place = self.name(&module, name)?,
                // A variant or an associated item.
                Named::ItemOf(_) => break,
            }
        }
        Some(place)
    }

    fn start<'a>(&mut self, at: &[String], path: &'a [String]) -> Option<(Named, &'a [String])> {
        let (first, rest) = path.split_first()?;
        match &**first {
            "crate" => Some((Named::Module(Names::new()), rest)),
            "self" => Some((Named::Module(at.to_vec()), rest)),
            "super" => {
                let mut module = at.to_vec();
                module.pop()?;
                let ups = rest.iter().take_while(|name| *name == "super").count();
                module.truncate(module.len().checked_sub(ups)?);
                Some((Named::Module(module), &rest[ups..]))
            }
            _ => Some((self.name(at, first)?, rest)),
        }
    }

    fn name(&mut self, at: &[String], name: &str) -> Option<Named> {
        let module = self.modules.get(at)?;
        if module.defined.contains(name) {
            return Some(Named::ItemOf(at.to_vec()));
        }
        if module.children.contains(name) {
            let child = [at, &[name.to_owned()]].concat();
            return self.modules.contains_key(&child).then_some(Named::Module(child));
        }
        if !self.seen.insert((at.to_vec(), name.to_owned())) {
            return None;
        }
        let found = match module.imported.get(name) {
            Some(path) => self.path(at, path),
            None => self.in_globs(at, module, name),
        };
        self.seen.remove(&(at.to_vec(), name.to_owned()));
        found
    }

    fn in_globs(&mut self, at: &[String], module: &Module, name: &str) -> Option<Named> {
        module.globs.iter().find_map(|glob| match self.path(at, glob)? {
            Named::Module(module) => self.name(&module, name),
            Named::ItemOf(_) => None,
        })
    }
}
