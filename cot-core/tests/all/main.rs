//! What the facade exports, each part with small processes and scripted models.

mod choices;
mod descriptions;
mod reasoning;
mod runner;
mod secret;
mod store;
mod testing;
