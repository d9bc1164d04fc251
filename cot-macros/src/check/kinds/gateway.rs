//! Gateways, and tasks of which no kind is known.

use super::kind_rules::KindRules;

pub(super) struct GatewayRules;

impl KindRules for GatewayRules {}
