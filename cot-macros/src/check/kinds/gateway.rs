//! Gateways, and tasks of which no kind is known.

use super::kind_rules::KindRules;

pub(super) struct Gateway;

impl KindRules for Gateway {}
