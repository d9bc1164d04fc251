//! What the facade exports, each part with small processes and scripted models.

mod choices;
mod descriptions;
mod primers;
mod reasoning;
mod runner;
mod secret;
mod store;
mod testing;
