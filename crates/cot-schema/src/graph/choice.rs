//! Combines several choices that apply at once into a single one.

use super::document::Subschema;

/// The combinations of several lists of alternatives.
#[derive(Debug)]
pub struct Product<'s> {
    /// The combinations, each with the schemas that apply together.
    pub cases: Vec<Vec<Subschema<'s>>>,
    /// The lists of alternatives that were skipped because they would have exceeded the limit.
    pub left_out: Vec<Vec<Subschema<'s>>>,
}

/// Forms the Cartesian product of lists of alternatives. `base` applies in every case.
///
/// The first list is always included. A further one is left out if it would lead to more than `most` cases.
pub(crate) fn product<'s>(
    base: Vec<Subschema<'s>>,
    alternatives: Vec<Vec<Subschema<'s>>>,
    most: usize,
) -> Product<'s> {
    let mut product = Product { cases: vec![base], left_out: Vec::new() };
    for branches in alternatives {
        let count = product.cases.len();
        if let [only] = branches.as_slice() {
            product.cases.iter_mut().for_each(|case| case.push(*only));
        } else if count > 1 && count * branches.len() > most {
            product.left_out.push(branches);
        } else {
            let pairs =
                product.cases.iter().flat_map(|case| branches.iter().map(move |b| (case, b)));
            product.cases =
                pairs.map(|(case, branch)| [case.as_slice(), &[*branch]].concat()).collect();
        }
    }
    product
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn cases_multiply_within_bounds() {
        let schemas = [json!(1), json!(2), json!(3)];
        let list = || schemas.iter().map(Subschema::new).collect::<Vec<_>>();
        assert_eq!(product(Vec::new(), vec![list()], 2).cases.len(), 3);
        let product = product(vec![Subschema::new(&schemas[0])], vec![list(); 3], 10);
        assert_eq!(product.cases.len(), 9);
        assert!(product.cases.iter().all(|case| case.len() == 3));
        assert_eq!(product.left_out.len(), 1);
    }
}
