//! The tasks that wait for a run to come back to them.

use crate::blueprint::TaskIndex;

/// The chain of callers: tasks whose transitions led here, the outermost first.
///
/// No task is in it twice, and the task that is being run is not in it, so it never outgrows the
/// number of tasks.
#[derive(Debug, Clone, Default)]
pub(super) struct Callers(Vec<TaskIndex>);

impl Callers {
    /// The chain that a snapshot holds; `None` when it holds a task twice.
    pub(super) fn restore(chain: Vec<TaskIndex>, current: TaskIndex) -> Option<Self> {
        let mut callers = Self::default();
        for task in chain {
            if task == current || callers.0.contains(&task) {
                return None;
            }
            callers.0.push(task);
        }
        Some(callers)
    }

    pub(super) fn as_slice(&self) -> &[TaskIndex] {
        &self.0
    }

    /// The task whose transition led here.
    pub(super) fn calling_task(&self) -> Option<TaskIndex> {
        self.0.last().copied()
    }

    /// A model chose to go from one task to another.
    pub(super) fn call(&mut self, from: TaskIndex, to: TaskIndex) {
        self.unwind(from);
        self.0.push(from);
        self.unwind(to);
    }

    /// The run goes to a task in any other way: back to it, if it waits in the chain.
    pub(super) fn unwind(&mut self, to: TaskIndex) {
        if let Some(position) = self.0.iter().position(|task| *task == to) {
            self.0.truncate(position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transition_to_a_waiting_task_unwinds_to_it() {
        let mut callers = Callers::default();
        callers.call(0, 1);
        callers.call(1, 2);
        callers.call(2, 3);
        assert_eq!(callers.as_slice(), [0, 1, 2]);
        callers.call(3, 1);
        assert_eq!(callers.as_slice(), [0]);
        assert_eq!(callers.calling_task(), Some(0));
    }

    #[test]
    fn a_task_that_chooses_itself_keeps_its_caller() {
        let mut callers = Callers::default();
        callers.call(0, 1);
        callers.call(1, 1);
        assert_eq!(callers.as_slice(), [0]);
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
                    callers.call(current, to);
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
        assert!(Callers::restore(vec![0, 1], 2).is_some());
        assert!(Callers::restore(vec![0, 1, 0], 2).is_none());
        assert!(Callers::restore(vec![0, 1], 1).is_none());
    }
}
