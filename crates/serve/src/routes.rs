//! All there is to ask for: the page, the run, and files of its folder. See `viewer/FORMAT.md`.

use crate::door::Caller;
use crate::guard::Guard;
use crate::pieces::made_while_read;
use crate::{Shown, files};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, Path, RawQuery, Request, State};
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::IntoResponse;
use axum::routing::get;
use serde_json::json;
use std::io::{self, Write};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use touchdown_record::replay::Source;

#[cfg(feature = "pages")]
mod page {
    pub const PAGE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/pages/view.html"));
    pub const SCRIPT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/pages/view.js"));
    pub const STYLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/pages/view.css"));
}
/// The run is served all the same: other pages and programs can ask for it.
#[cfg(not(feature = "pages"))]
mod page {
    pub const PAGE: &str = "<!doctype html><title>touchdown</title><p>This program was built without its pages (feature <code>pages</code>).";
    pub const SCRIPT: &str = "";
    pub const STYLE: &str = "";
}
use page::{PAGE, SCRIPT, STYLE};
/// Columns of one request, at most.
const MOST_COLUMNS: usize = 64;
/// What the page may load: itself.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

pub(crate) fn router(shown: Shown, guard: Guard) -> Router {
    let guard = Arc::new(guard);
    // One copy for all who ask.
    let scene = Bytes::from(shown.source.scene());
    let scene = || async { ([(header::CONTENT_TYPE, "application/json")], scene) };
    Router::new()
        .route("/{token}/", get(|| async { text("text/html; charset=utf-8", PAGE) }))
        .route("/{token}/view.js", get(|| async { text("text/javascript; charset=utf-8", SCRIPT) }))
        .route("/{token}/view.css", get(|| async { text("text/css; charset=utf-8", STYLE) }))
        .route("/{token}/api/scene", get(scene))
        .route("/{token}/api/extent", get(extent))
        .route("/{token}/api/frames", get(frames))
        .route("/{token}/api/series", get(series))
        .route("/{token}/run/{name}", get(file))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is nothing here\n") })
        .with_state(shown)
        .layer(middleware::from_fn(move |request: Request, next: Next| {
            let guard = Arc::clone(&guard);
            async move { hardened(answer(&guard, request, next).await) }
        }))
}

async fn answer(guard: &Guard, request: Request, next: Next) -> Response<Body> {
    if let Some(refusal) = guard.refuse(&request) {
        return refusal.into_response();
    }
    if let Some(ConnectInfo(Caller(guest))) = request.extensions().get() {
        guest.shows_token();
    }
    next.run(request).await
}

/// Nothing is kept, guessed, framed or lent to other sites.
fn hardened(mut answer: Response<Body>) -> Response<Body> {
    let headers = answer.headers_mut();
    let fixed = [
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    // A report has a policy of its own, stricter but for its inline script.
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    }
    answer
}

fn text(kind: &'static str, body: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, kind)], body)
}

fn bytes(body: Vec<u8>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/octet-stream")], body)
}

async fn extent(State(shown): State<Shown>) -> impl IntoResponse {
    let extent = shown.source.extent();
    let body = json!({ "frames": extent.frames, "rows": extent.rows, "live": extent.live }).to_string();
    ([(header::CONTENT_TYPE, "application/json")], body)
}

async fn frames(State(shown): State<Shown>, RawQuery(query): RawQuery) -> Response<Body> {
    match Asked::read(query.as_deref()) {
        Ok(asked) => bytes(shown.source.frames(asked.from)).into_response(),
        Err(why) => (StatusCode::BAD_REQUEST, why).into_response(),
    }
}

async fn series(State(shown): State<Shown>, RawQuery(query): RawQuery) -> Response<Body> {
    let asked = match Asked::read(query.as_deref()) {
        Ok(asked) => asked,
        Err(why) => return (StatusCode::BAD_REQUEST, why).into_response(),
    };
    let end = shown.source.extent().rows;
    let rows = asked.from.min(end)..end;
    let length = size_of::<f64>() * rows.len() * asked.columns.len();
    let body = made_while_read(move |out| {
        asked.columns.iter().try_for_each(|name| write_column(&*shown.source, name, rows.clone(), out))
    });
    sized("application/octet-stream", length as u64, body)
}

/// Writes as many values as there are rows: not a number where there is none.
fn write_column(source: &dyn Source, name: &str, rows: Range<usize>, out: &mut dyn Write) -> io::Result<()> {
    let (mut left, mut written) = (rows.len(), Ok(()));
    source.column(name, rows, &mut |values| {
        let values = &values[..values.len().min(left)];
        left -= values.len();
        written = values.iter().try_for_each(|value| out.write_all(&value.to_le_bytes()));
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    written?;
    (0..left).try_for_each(|_| out.write_all(&f64::NAN.to_le_bytes()))
}

/// An answer whose length is known before it is made.
fn sized(kind: &'static str, length: u64, body: Body) -> Response<Body> {
    ([(header::CONTENT_TYPE, kind)], [(header::CONTENT_LENGTH, length.to_string())], body).into_response()
}

async fn file(State(shown): State<Shown>, Path((_, name)): Path<(String, String)>) -> Response<Body> {
    match files::open(&shown.folder, &name) {
        Err(refusal) => refusal.into_response(),
        Ok(found) => {
            let length = found.length;
            let body = made_while_read(move |out| found.write(out));
            let mut answer = sized(files::media_type(&name), length, body);
            if name == "report.html" {
                let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";
                answer
                    .headers_mut()
                    .insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
            }
            answer
        }
    }
}

/// What a request asks for.
#[derive(Default)]
struct Asked {
    from: usize,
    columns: Vec<String>,
}

impl Asked {
    fn read(query: Option<&str>) -> Result<Asked, &'static str> {
        let mut asked = Asked::default();
        for (key, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
            match key.as_ref() {
                "from" => asked.from = value.parse().map_err(|_| "from must be a whole number\n")?,
                "column" if asked.columns.len() < MOST_COLUMNS => asked.columns.push(value.into_owned()),
                "column" => return Err("at most 64 columns at a time\n"),
                _ => return Err("only from and column can be asked for\n"),
            }
        }
        Ok(asked)
    }
}
