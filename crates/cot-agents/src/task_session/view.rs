//! A conversation as its session shows it.

use cot_task_format::{Block, BlockKind, Code, Diagnostic, Position, TodoItem, Trace};

use crate::task_session::conversation::{
    context::SessionContext, state::ConversationState, text::blocks_of,
};

/// The state of a conversation, with its trace as structures. It follows the events of the run.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) state: ConversationState,
    pub(super) trace: Trace,
    /// The number of structures before the first message of the user.
    opening: usize,
}

impl View {
    pub(super) fn new(state: ConversationState, context: &SessionContext) -> Self {
        let texts = state.opening(context);
        let blocks: Vec<Block> = blocks_of(&texts).collect();
        let mut view = Self { state, opening: blocks.len(), trace: Trace::from(blocks) };
        view.update_trace();
        view
    }

    /// Changes the state, and the trace after it.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&mut ConversationState) -> T) -> T {
        let changed = change(&mut self.state);
        self.update_trace();
        changed
    }

    /// Returns the state that a new run starts with: without the message that the run is about to receive.
    pub(super) fn state_of_run(&self, has_message: bool) -> ConversationState {
        let mut state = self.state.clone();
        if has_message {
            state.abandon();
        }
        state
    }

    /// Returns whether a state waits for the message that starts the last turn of the view.
    pub(super) fn precedes_turn(&self, state: &ConversationState) -> bool {
        let before = self.state.turn_start().map(|start| &self.state.blocks[..start]);
        !state.is_unfinished() && before == Some(&state.blocks[..])
    }

    /// Returns whether a state contains the message that starts the last turn of the view.
    pub(super) fn has_turn_in_common(&self, state: &ConversationState) -> bool {
        let start = self.state.turn_start();
        start.is_some_and(|start| state.blocks.get(start) == self.state.blocks.get(start))
    }

    /// Replaces the state by that of the run, unless it lacks results that the view has.
    pub(super) fn follow(&mut self, state: &ConversationState, context: &SessionContext) {
        let (known, new) = (&self.state.blocks, &state.blocks);
        if new.len() < known.len() && known.starts_with(new) && state.is_unfinished() {
            return;
        }
        if new.starts_with(known) && self.state.tools == state.tools {
            self.state = state.clone();
            self.update_trace();
        } else {
            *self = Self::new(state.clone(), context);
        }
    }

    /// Returns the findings about the todo items of the last turn, which a response has ended.
    pub(super) fn open_todos(&self) -> Vec<Diagnostic> {
        let blocks = &self.trace.blocks;
        let start = blocks.iter().rposition(|block| block.kind == BlockKind::User);
        let turn = Trace::from(blocks[start.unwrap_or_default()..].to_vec());
        let position = blocks.last().map_or(Position::START, |response| response.position);
        let finding = |item: TodoItem| Diagnostic {
            code: Code::UnsatisfiedTodo,
            message: format!("nothing satisfies the todo item {}", item.number),
            position,
        };
        turn.todos().into_iter().filter(|item| !item.is_satisfied).map(finding).collect()
    }

    /// Adds the structures that the trace lacks, and removes those that the state no longer has.
    fn update_trace(&mut self) {
        let count = self.state.count;
        let blocks = &mut self.trace.blocks;
        blocks.truncate(self.opening + count);
        let known = blocks.len() - self.opening;
        if let Some(new) = self.state.last_texts(count - known) {
            blocks.extend(blocks_of(new));
        } else {
            blocks.truncate(self.opening);
            blocks.extend(blocks_of(&self.state.blocks));
        }
    }
}
