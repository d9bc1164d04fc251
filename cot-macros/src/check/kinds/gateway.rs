//! Rules for gateways and for tasks of unknown kind.

use super::kind_rules::KindRules;

pub(super) struct GatewayRules;

impl KindRules for GatewayRules {}
