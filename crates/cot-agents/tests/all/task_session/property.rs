//! Properties that hold for every reply.

use proptest::prelude::*;

use super::*;
use crate::task_session::texts::text;

/// Replies of all kinds, many of them partly valid.
fn reply() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => Just(PLAN.to_owned()),
        3 => Just(CALL.to_owned()),
        2 => Just(ANSWER.to_owned()),
        1 => Just("act { call ↦ { tool ↦ echo • text ↦ ".to_owned()),
        1 => Just("act { call ↦ [ { tool ↦ panics • text ↦ x } • { tool ↦ fails • text ↦ y } ] }".to_owned()),
        1 => Just("result { data ↦ 1 } 🏷 w1\n".to_owned()),
        1 => Just("todo { 7 ↦ x }\n".to_owned()),
        3 => text(),
    ];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_replies_leave_a_sound_trace(
        replies in prop::collection::vec(reply(), 0..8),
        said in text(),
        size in 0..30_usize,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let model = Arc::new(ScriptedModel::new(replies).streaming(size));
        let mut session = builder(&model).limits(SessionLimits { rounds: 6, ..SessionLimits::default() }).build().unwrap();
        runtime.block_on(async {
            let first = session.user(&*said).await;
            assert_eq!(first.is_err(), session.is_unfinished());
            if first.is_ok() {
                let _ = session.user(&*said).await;
            }
        });
        let unfinished = session.is_unfinished();
        let resumed = builder(&model).resume(session.trace().clone()).unwrap();
        prop_assert_eq!(resumed.is_unfinished(), unfinished);
        prop_assert_eq!(&parse(&session.trace().to_string()).unwrap(), session.trace());
        session.abandon();
        if session.trace().blocks.len() > 5 {
            assert_sound(&session);
        }
    }
}
