//! Where the crates are that a test was compiled with.

use std::env;

use proc_macro::{Delimiter, Group, Literal, Punct, Spacing, TokenStream, TokenTree};

/// The `--extern` and `-L` arguments of the compiler that expands this, as a `[&str; N]`.
///
/// A program that is compiled with them uses the crates that cargo has built for the caller. Cargo names each file
/// after the versions and features in it, and compiles the caller again when a name changes.
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
