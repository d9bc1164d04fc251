//! The chain of calling tasks, to which a run returns.

use crate::{process::tables::TaskIndex, values::inputs::Inputs};

/// The chain of callers: the tasks whose transitions led to the current one, outermost first, with their
/// inputs.
///
/// No task is in the chain twice, and the current task is not in it, so its length is bounded by the number
/// of tasks.
#[derive(Debug, Clone, Default)]
pub(crate) struct Callers(Vec<Caller>);

/// A task in the chain.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) task: TaskIndex,
    pub(crate) inputs: Option<Inputs>,
}

impl Callers {
    /// Restores a chain from a snapshot. `None` if it contains a task twice.
    pub(crate) fn restore(chain: Vec<Caller>, current: TaskIndex) -> Option<Self> {
        let mut callers = Self::default();
        for caller in chain {
            if caller.task == current || callers.position(caller.task).is_some() {
                return None;
            }
            callers.0.push(caller);
        }
        Some(callers)
    }

    pub(crate) fn as_slice(&self) -> &[Caller] {
        &self.0
    }

    /// Returns the task whose transition led to the current one, with its inputs.
    pub(crate) fn calling_task(&self) -> Option<(TaskIndex, Option<&Inputs>)> {
        self.0.last().map(|caller| (caller.task, caller.inputs.as_ref()))
    }

    /// Records a transition, which a model chose: the task it leaves becomes a caller.
    pub(crate) fn call(&mut self, from: TaskIndex, inputs: Option<Inputs>, to: TaskIndex) {
        self.unwind(from);
        self.0.push(Caller { task: from, inputs });
        self.unwind(to);
    }

    /// Removes the target of any other route from the chain, with all tasks that it called.
    pub(crate) fn unwind(&mut self, to: TaskIndex) {
        if let Some(position) = self.position(to) {
            self.0.truncate(position);
        }
    }

    fn position(&self, task: TaskIndex) -> Option<usize> {
        self.0.iter().position(|caller| caller.task == task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tasks(callers: &Callers) -> Vec<TaskIndex> {
        callers.as_slice().iter().map(|caller| caller.task).collect()
    }

    fn chain(tasks: &[TaskIndex]) -> Vec<Caller> {
        tasks.iter().map(|task| Caller { task: *task, inputs: None }).collect()
    }

    #[test]
    fn a_transition_to_a_waiting_task_unwinds_to_it() {
        let mut callers = Callers::default();
        callers.call(0, None, 1);
        callers.call(1, None, 2);
        callers.call(2, None, 3);
        assert_eq!(tasks(&callers), [0, 1, 2]);
        callers.call(3, None, 1);
        assert_eq!(tasks(&callers), [0]);
        assert_eq!(callers.calling_task().map(|(task, _)| task), Some(0));
    }

    #[test]
    fn a_task_that_chooses_itself_keeps_its_caller() {
        let mut callers = Callers::default();
        callers.call(0, None, 1);
        callers.call(1, None, 1);
        assert_eq!(tasks(&callers), [0]);
    }

    #[test]
    fn never_holds_a_task_twice() {
        // Every sequence of six moves among four tasks, each move a transition or another one.
        for mut moves in 0..8_usize.pow(6) {
            let mut callers = Callers::default();
            let mut current = 0;
            for _ in 0..6 {
                let to = moves % 4;
                if moves % 8 < 4 {
                    callers.call(current, None, to);
                } else {
                    callers.unwind(to);
                }
                current = to;
                moves /= 8;
                assert!(Callers::restore(callers.0.clone(), current).is_some());
            }
        }
    }

    #[test]
    fn restores_only_what_can_be() {
        assert!(Callers::restore(chain(&[0, 1]), 2).is_some());
        assert!(Callers::restore(chain(&[0, 1, 0]), 2).is_none());
        assert!(Callers::restore(chain(&[0, 1]), 1).is_none());
    }
}
