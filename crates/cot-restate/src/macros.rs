//! The macro that declares a named service around a [`Workflow`](crate::Workflow).

/// Declares a Restate service that runs a process.
///
/// ```
/// # use cot_core::prelude::*;
/// # cot_process! {
/// #     pub process Nothing { state: Vec<u8>, task done { end } }
/// # }
/// cot_restate::workflow! {
///     /// Does nothing, durably.
///     pub struct NothingWorkflow runs Nothing as "Nothing";
/// }
/// ```
///
/// declares `NothingWorkflow`, which is created from a [`Workflow`](crate::Workflow) with `From` and
/// bound to an endpoint of the SDK. The service name is a literal, and runs are addressed by it: it
/// must not change once runs exist. The SDK also generates clients, which are private to the crate:
/// `NothingWorkflowClient` for other services, and `NothingWorkflowIngressClient` for external
/// programs.
///
/// A node suspends a run that has waited for a minute, and resumes it later; a call may take an hour.
/// Other timeouts can be set where the service is bound:
///
/// ```
/// # use cot_core::{Models, prelude::*};
/// # use cot_restate::Workflow;
/// # cot_process! {
/// #     pub process Nothing { state: Vec<u8>, task done { end } }
/// # }
/// # cot_restate::workflow! { pub struct NothingWorkflow runs Nothing as "Nothing"; }
/// use std::time::Duration;
/// use restate_sdk::prelude::{Endpoint, IntoServiceDefinition, ServiceOptions};
///
/// let service = NothingWorkflow::from(Workflow::new(Models::new())?)
///     .into_service_definition()
///     .options(ServiceOptions::new().abort_timeout(Duration::from_secs(24 * 60 * 60)));
/// let endpoint = Endpoint::builder().bind(service).build();
/// # drop(endpoint);
/// # Ok::<(), cot_core::PreflightError>(())
/// ```
///
/// The calling crate must also depend on `restate-sdk`.
#[macro_export]
macro_rules! workflow {
    ($(#[$attribute:meta])* $visibility:vis struct $name:ident runs $process:ty as $service:tt;) => {
        $(#[$attribute])*
        $visibility struct $name($crate::Workflow<$process>);

        impl ::core::convert::From<$crate::Workflow<$process>> for $name {
            fn from(workflow: $crate::Workflow<$process>) -> Self {
                Self(workflow)
            }
        }

        #[::restate_sdk::workflow(
            name = $service,
            client_visibility = "pub(crate)",
            inactivity_timeout = "1m",
            abort_timeout = "1h"
        )]
        impl $name {
            /// Runs the process to its end.
            #[handler]
            async fn run(
                &self,
                ctx: ::restate_sdk::prelude::WorkflowContext<'_>,
                start: ::restate_sdk::prelude::Json<
                    $crate::Start<<$process as $crate::__private::ProcessTypes>::State>,
                >,
            ) -> ::restate_sdk::prelude::HandlerResult<
                ::restate_sdk::prelude::Json<
                    $crate::RawJson<
                        $crate::RunResult<<$process as $crate::__private::ProcessTypes>::State>,
                    >,
                >,
            > {
                self.0.run(&ctx, $service, start.into_inner()).await
            }

            /// Returns the status of the run and the question to a person.
            #[handler]
            async fn status(
                &self,
                ctx: ::restate_sdk::prelude::SharedWorkflowContext<'_>,
            ) -> ::restate_sdk::prelude::HandlerResult<
                ::restate_sdk::prelude::Json<$crate::Status>,
            > {
                self.0.status(&ctx).await
            }

            /// Answers the question to a person.
            #[handler]
            async fn answer(
                &self,
                ctx: ::restate_sdk::prelude::SharedWorkflowContext<'_>,
                answer: ::restate_sdk::prelude::Json<$crate::Answer>,
            ) -> ::restate_sdk::prelude::HandlerResult<
                ::restate_sdk::prelude::Json<$crate::AnswerOutcome>,
            > {
                self.0.answer(&ctx, answer.into_inner()).await
            }

            /// Performs a model call for one item of a for-each task.
            #[handler(ingress_private, lazy_state)]
            async fn call(
                &self,
                ctx: ::restate_sdk::prelude::SharedWorkflowContext<'_>,
                request: ::restate_sdk::prelude::Json<$crate::__private::Request>,
            ) -> ::restate_sdk::prelude::HandlerResult<
                ::restate_sdk::prelude::Json<$crate::__private::Event>,
            > {
                self.0.call(&ctx, request.into_inner()).await
            }
        }
    };
}
