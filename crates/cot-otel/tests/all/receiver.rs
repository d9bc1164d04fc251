//! A receiver of OTLP on 127.0.0.1, over gRPC and over HTTP, that decodes what is exported.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{Router, body::Bytes, extract::State, http::StatusCode, routing::post};
use opentelemetry_otlp::{MetricExporter, Protocol, SpanExporter, WithExportConfig as _};
use opentelemetry_proto::tonic::{
    collector::{
        metrics::v1::{
            ExportMetricsServiceRequest, ExportMetricsServiceResponse,
            metrics_service_server::{MetricsService, MetricsServiceServer},
        },
        trace::v1::{
            ExportTraceServiceRequest, ExportTraceServiceResponse,
            trace_service_server::{TraceService, TraceServiceServer},
        },
    },
    metrics::v1::Metric,
    trace::v1::Span,
};
use opentelemetry_sdk::{
    metrics::{PeriodicReader, SdkMeterProvider},
    trace::SdkTracerProvider,
};
use prost::Message as _;
use tokio::net::TcpListener;
use tonic::{Request, Response, Status, transport::server::TcpIncoming};

use cot_core::otel::Telemetry;

use crate::decoded::{Metrics, Spans};

/// What a receiver has received.
#[derive(Clone, Default)]
struct Received(Arc<Mutex<Exports>>);

#[derive(Default)]
struct Exports {
    traces: Vec<ExportTraceServiceRequest>,
    metrics: Vec<ExportMetricsServiceRequest>,
}

#[tonic::async_trait]
impl TraceService for Received {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.0.lock().unwrap().traces.push(request.into_inner());
        Ok(Response::new(Default::default()))
    }
}

#[tonic::async_trait]
impl MetricsService for Received {
    async fn export(
        &self,
        request: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        self.0.lock().unwrap().metrics.push(request.into_inner());
        Ok(Response::new(Default::default()))
    }
}

async fn take_traces(State(received): State<Received>, body: Bytes) -> StatusCode {
    let request = ExportTraceServiceRequest::decode(body).unwrap();
    received.0.lock().unwrap().traces.push(request);
    StatusCode::OK
}

async fn take_metrics(State(received): State<Received>, body: Bytes) -> StatusCode {
    let request = ExportMetricsServiceRequest::decode(body).unwrap();
    received.0.lock().unwrap().metrics.push(request);
    StatusCode::OK
}

async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

/// A receiver, and the providers of a program that export to it.
pub(crate) struct Backend {
    received: Received,
    pub(crate) tracers: SdkTracerProvider,
    pub(crate) meters: SdkMeterProvider,
}

impl Backend {
    /// A receiver over gRPC.
    pub(crate) async fn grpc() -> Self {
        let received = Received::default();
        let (listener, address) = listen().await;
        let server = tonic::transport::Server::builder()
            .add_service(TraceServiceServer::new(received.clone()))
            .add_service(MetricsServiceServer::new(received.clone()))
            .serve_with_incoming(TcpIncoming::from(listener));
        tokio::spawn(server);
        let url = format!("http://{address}");
        let spans = SpanExporter::builder().with_tonic().with_endpoint(&url).build().unwrap();
        let metrics = MetricExporter::builder().with_tonic().with_endpoint(&url).build().unwrap();
        Self::exporting(received, spans, metrics)
    }

    /// A receiver over HTTP.
    pub(crate) async fn http() -> Self {
        let received = Received::default();
        let (listener, address) = listen().await;
        let app = Router::new()
            .route("/v1/traces", post(take_traces))
            .route("/v1/metrics", post(take_metrics))
            .with_state(received.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        let (spans, metrics) = http_exporters(&format!("http://{address}"));
        Self::exporting(received, spans, metrics)
    }

    /// Providers that export to an address over HTTP, whatever is there.
    pub(crate) fn exporting_to(url: &str) -> Self {
        let (spans, metrics) = http_exporters(url);
        Self::exporting(Received::default(), spans, metrics)
    }

    fn exporting(received: Received, spans: SpanExporter, metrics: MetricExporter) -> Self {
        // Only `flush` exports metrics.
        let reader = PeriodicReader::builder(metrics).with_interval(Duration::from_secs(3600));
        Self {
            received,
            tracers: SdkTracerProvider::builder().with_batch_exporter(spans).build(),
            meters: SdkMeterProvider::builder().with_reader(reader.build()).build(),
        }
    }

    /// The instrument that exports to the receiver.
    pub(crate) fn telemetry(&self) -> Telemetry {
        Telemetry::new().tracer_provider(&self.tracers).meter_provider(&self.meters)
    }

    /// Exports all that has ended.
    pub(crate) async fn flush(&self) {
        let (tracers, meters) = (self.tracers.clone(), self.meters.clone());
        let flushed = tokio::task::spawn_blocking(move || {
            tracers.force_flush().unwrap();
            meters.force_flush().unwrap();
        });
        flushed.await.unwrap();
    }

    /// The spans that were received so far, after a flush.
    pub(crate) async fn spans(&self) -> Spans {
        self.flush().await;
        let exports = self.received.0.lock().unwrap();
        let resources = exports.traces.iter().flat_map(|request| &request.resource_spans);
        let scopes = resources.flat_map(|spans| &spans.scope_spans);
        let spans: Vec<Span> = scopes.flat_map(|spans| spans.spans.clone()).collect();
        Spans::new(spans)
    }

    /// The metrics of the last export, after a flush.
    pub(crate) async fn metrics(&self) -> Metrics {
        self.flush().await;
        let exports = self.received.0.lock().unwrap();
        let last = exports.metrics.last().unwrap();
        let resources = last.resource_metrics.iter().flat_map(|metrics| &metrics.scope_metrics);
        let metrics: Vec<Metric> = resources.flat_map(|scope| scope.metrics.clone()).collect();
        Metrics::new(metrics)
    }

    /// The name, the version and the schema of the scope of the spans.
    pub(crate) async fn scope(&self) -> (String, String, String) {
        self.flush().await;
        let exports = self.received.0.lock().unwrap();
        let spans = &exports.traces[0].resource_spans[0].scope_spans[0];
        let scope = spans.scope.clone().unwrap();
        (scope.name, scope.version, spans.schema_url.clone())
    }
}

fn http_exporters(url: &str) -> (SpanExporter, MetricExporter) {
    let (limit, protocol) = (Duration::from_secs(2), Protocol::HttpBinary);
    let spans = SpanExporter::builder().with_http().with_protocol(protocol).with_timeout(limit);
    let metrics = MetricExporter::builder().with_http().with_protocol(protocol).with_timeout(limit);
    (
        spans.with_endpoint(format!("{url}/v1/traces")).build().unwrap(),
        metrics.with_endpoint(format!("{url}/v1/metrics")).build().unwrap(),
    )
}
