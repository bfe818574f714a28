//! All there is to ask for: the page, the run, and files of its folder. See `viewer/FORMAT.md`.

use crate::{Shown, files, guard};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, RawQuery, Request, State};
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::IntoResponse;
use axum::routing::get;
use serde_json::json;

const PAGE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../viewer/dist/view.html"));
const SCRIPT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../viewer/dist/view.js"));
const STYLE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../viewer/dist/view.css"));
/// Columns of one request, at most.
const MOST_COLUMNS: usize = 64;
/// What the page may load: itself.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

pub(crate) fn router(shown: Shown, port: u16) -> Router {
    Router::new()
        .route("/", get(|| async { text("text/html; charset=utf-8", PAGE) }))
        .route("/view.js", get(|| async { text("text/javascript; charset=utf-8", SCRIPT) }))
        .route("/view.css", get(|| async { text("text/css; charset=utf-8", STYLE) }))
        .route("/api/scene", get(scene))
        .route("/api/extent", get(extent))
        .route("/api/frames", get(frames))
        .route("/api/series", get(series))
        .route("/run/{name}", get(file))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is nothing here\n") })
        .with_state(shown)
        .layer(middleware::from_fn(move |request: Request, next: Next| async move {
            let answer = match guard::refuse(port, request.method(), request.headers()) {
                Some(refusal) => refusal.into_response(),
                None => next.run(request).await,
            };
            hardened(answer)
        }))
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

async fn scene(State(shown): State<Shown>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], shown.source.scene())
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
    let names: Vec<&str> = asked.columns.iter().map(String::as_str).collect();
    let columns = shown.source.series(&names, asked.from);
    let rows = columns.iter().flatten().map(Vec::len).next().unwrap_or(0);
    let mut body = Vec::with_capacity(8 * rows * columns.len());
    for column in columns {
        let values = column.unwrap_or_else(|| vec![f64::NAN; rows]);
        body.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    }
    bytes(body).into_response()
}

async fn file(State(shown): State<Shown>, Path(name): Path<String>) -> Response<Body> {
    match files::read(&shown.folder, &name) {
        Err(refusal) => refusal.into_response(),
        Ok((body, kind)) => {
            let mut answer = ([(header::CONTENT_TYPE, kind)], body).into_response();
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
