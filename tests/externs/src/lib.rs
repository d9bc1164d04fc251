//! With which crates a test was compiled.

use std::env;

use proc_macro::{Delimiter, Group, Literal, Punct, Spacing, TokenStream, TokenTree};

/// The arguments that told rustc where the crates are that the caller uses, as a `[&str; N]`: what is compiled
/// with the same ones needs no build of them. Cargo names each file after the features and versions in it,
/// and compiles the caller again when one of them has another name.
#[proc_macro]
pub fn arguments(_: TokenStream) -> TokenStream {
    let given: Vec<String> = env::args().collect();
    let pairs = given.windows(2).filter(|pair| ["--extern", "-L"].contains(&&*pair[0]));
    let words = pairs.flatten().flat_map(|word| {
        let word = TokenTree::from(Literal::string(word));
        [word, Punct::new(',', Spacing::Alone).into()]
    });
    TokenTree::from(Group::new(Delimiter::Bracket, words.collect())).into()
}
