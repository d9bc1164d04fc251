//! Rules for the sequence: system, tools, then turns of user, plan, acts and plans, response.

use super::common::is_turn_block;
use crate::{
    block::{Block, BlockKind},
    diagnostic::{Code, Findings},
    position::Position,
};

pub(super) fn check(blocks: &[Block], end: Position, findings: &mut Findings) {
    check_system(blocks, end, findings);
    check_tools(blocks, findings);
    let users: Vec<usize> = blocks
        .iter()
        .enumerate()
        .filter(|(_, block)| block.kind == BlockKind::User)
        .map(|(i, _)| i)
        .collect();
    let Some(first) = users.first() else {
        let place = blocks.iter().find(|block| is_turn_block(block.kind));
        let place = place.map_or(end, |block| block.position);
        findings.add(Code::MissingUser, place, "there is no user message");
        check_turn(blocks, end, findings);
        return;
    };
    for block in blocks[..*first].iter().filter(|block| is_turn_block(block.kind)) {
        let message = format!("`{}` stands before the first user message", block.kind.keyword());
        findings.add(Code::WrongOrder, block.position, message);
    }
    for (i, user) in users.iter().enumerate() {
        let next = users.get(i + 1).copied();
        let turn = &blocks[user + 1..next.unwrap_or(blocks.len())];
        check_turn(turn, next.map_or(end, |next| blocks[next].position), findings);
    }
}

/// Reports a system message that is missing, repeated or not the first structure.
fn check_system(blocks: &[Block], end: Position, findings: &mut Findings) {
    let mut systems =
        blocks.iter().enumerate().filter(|(_, block)| block.kind == BlockKind::System);
    match systems.next() {
        None => {
            let place = blocks.first().map_or(end, |block| block.position);
            findings.add(Code::MissingSystem, place, "there is no system message");
        }
        Some((0, _)) => {}
        Some((_, block)) => {
            findings.add(Code::WrongOrder, block.position, "the system message comes first");
        }
    }
    for (_, block) in systems {
        findings.add(Code::WrongOrder, block.position, "there is a system message already");
    }
}

/// Reports tools that are defined after the first user message.
fn check_tools(blocks: &[Block], findings: &mut Findings) {
    let turns = blocks.iter().skip_while(|block| block.kind != BlockKind::User);
    for block in turns.filter(|block| block.kind == BlockKind::Tool) {
        let message = "tools are defined before the first user message";
        findings.add(Code::WrongOrder, block.position, message);
    }
}

/// Checks that a turn begins with a plan and ends with a response.
fn check_turn(blocks: &[Block], end: Position, findings: &mut Findings) {
    let turn: Vec<&Block> = blocks.iter().filter(|block| is_turn_block(block.kind)).collect();
    let is = |kind| move |block: &&Block| block.kind == kind;
    match turn.iter().position(is(BlockKind::Plan)) {
        None => {
            let place = turn.first().map_or(end, |block| block.position);
            findings.add(Code::MissingPlan, place, "the turn has no plan");
        }
        Some(plan) => {
            for block in turn[..plan].iter().filter(|block| block.kind != BlockKind::Todo) {
                let message = format!("`{}` stands before the plan", block.kind.keyword());
                findings.add(Code::WrongOrder, block.position, message);
            }
        }
    }
    match turn.iter().position(is(BlockKind::Response)) {
        None => findings.add(Code::MissingResponse, end, "the turn has no response"),
        Some(response) => {
            for block in &turn[response + 1..] {
                let message = format!("`{}` stands after the response", block.kind.keyword());
                findings.add(Code::WrongOrder, block.position, message);
            }
        }
    }
    for pair in turn.windows(2).filter(|pair| pair.iter().all(is(BlockKind::Plan))) {
        findings.add(Code::ConsecutivePlans, pair[1].position, "two plans stand in a row");
    }
}

/// Reports each nth user message that is not tagged `usrN`.
pub(super) fn check_user_ids(blocks: &[Block], findings: &mut Findings) {
    let users = blocks.iter().filter(|block| block.kind == BlockKind::User);
    for (i, block) in users.enumerate() {
        let id = format!("usr{}", i + 1);
        let tags = block.content.tags();
        if !tags.iter().any(|tag| tag.value == id) {
            let place = tags.first().map_or(block.position, |tag| tag.position);
            findings.add(Code::UserId, place, format!("tag this user message `{id}`"));
        }
    }
}
