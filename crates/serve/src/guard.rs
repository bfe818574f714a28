//! Who is answered: a browser on this machine that was sent here by its user, never a page of another site nor another account of the machine.
//!
//! A page of another site can make the browser ask 127.0.0.1, even under a name of its own that it lets point here (DNS rebinding).
//! So the name asked for must be this machine's own, and a browser that says where the request comes from must say: from here.
//! Another account can ask as it likes, but does not know the token.

use crate::token::Token;
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};

/// What every request must show.
pub(crate) struct Guard {
    pub port: u16,
    pub token: Token,
}

impl Guard {
    /// Says why a request is refused, or lets it pass.
    pub fn refuse(&self, request: &Request) -> Option<(StatusCode, &'static str)> {
        refuse_site(self.port, request).or_else(|| {
            let words = "this page opens at its whole address only, with the token that touchdown printed on the terminal when it started to serve it\n";
            (!self.token.opens(request.uri().path())).then_some((StatusCode::FORBIDDEN, words))
        })
    }
}

fn refuse_site(port: u16, request: &Request) -> Option<(StatusCode, &'static str)> {
    let (method, headers) = (request.method(), request.headers());
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
