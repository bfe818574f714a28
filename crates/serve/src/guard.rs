//! Who is answered: a browser on this machine that was sent here by its user, never a page of another site.
//!
//! A page of another site can make the browser ask 127.0.0.1, even under a name of its own that it lets point here (DNS rebinding).
//! So the name asked for must be this machine's own, and a browser that says where the request comes from must say: from here.

use axum::http::{HeaderMap, Method, StatusCode, header};

/// Says why a request is refused, or lets it pass.
pub(crate) fn refuse(port: u16, method: &Method, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
    if method != Method::GET && method != Method::HEAD {
        return Some((StatusCode::METHOD_NOT_ALLOWED, "only reading is possible here\n"));
    }
    if !headers.get(header::HOST).is_some_and(|host| names_us(host.as_bytes(), port)) {
        return Some((StatusCode::FORBIDDEN, "this page answers to 127.0.0.1 and localhost only\n"));
    }
    let foreign_origin = headers.get(header::ORIGIN).is_some_and(|origin| {
        !origin.as_bytes().strip_prefix(b"http://").is_some_and(|host| names_us(host, port))
    });
    // `none`: typed or bookmarked by the user.
    let foreign_site = headers
        .get("sec-fetch-site")
        .is_some_and(|site| !matches!(site.as_bytes(), b"same-origin" | b"none"));
    (foreign_origin || foreign_site)
        .then_some((StatusCode::FORBIDDEN, "requests from pages of other sites are refused\n"))
}

fn names_us(host: &[u8], port: u16) -> bool {
    let Ok(host) = std::str::from_utf8(host) else { return false };
    ["127.0.0.1", "localhost"].iter().any(|name| host.eq_ignore_ascii_case(&format!("{name}:{port}")))
}
