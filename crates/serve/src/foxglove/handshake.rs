//! Admission of clients. A page of any site can make a browser connect, so pages of other sites are refused by the origin that the browser states; programs state none and are admitted.
//!
//! Foxglove itself runs in the browser, too: its pages, pages of this machine and applications (whose pages are no web sites) may connect.

use tungstenite::handshake::server::{Callback, ErrorResponse, Request, Response};
use tungstenite::http::{HeaderValue, StatusCode, header};

/// Versions of the protocol, the wished one first.
const PROTOCOLS: [&str; 2] = ["foxglove.websocket.v1", "foxglove.sdk.v1"];

/// The answer to a request. A server that is open to other machines answers to any name of its own.
pub(super) struct Entry {
    pub is_open: bool,
}

impl Callback for Entry {
    fn on_request(self, request: &Request, mut response: Response) -> Result<Response, ErrorResponse> {
        let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
        if !self.is_open && !text(header::HOST).is_some_and(names_us) {
            return Err(refusal(
                StatusCode::FORBIDDEN,
                "this stream answers to 127.0.0.1 and localhost only\n",
            ));
        }
        if request.headers().contains_key(header::ORIGIN) && !text(header::ORIGIN).is_some_and(is_trusted) {
            return Err(refusal(StatusCode::FORBIDDEN, "pages of other sites are refused\n"));
        }
        let offered = request.headers().get_all(header::SEC_WEBSOCKET_PROTOCOL).iter();
        let offered: Vec<&str> = offered
            .filter_map(|value| value.to_str().ok())
            .flat_map(|v| v.split(','))
            .map(str::trim)
            .collect();
        let Some(known) = PROTOCOLS.into_iter().find(|known| offered.contains(known)) else {
            let words = "this is a stream for Foxglove: a client must offer the protocol foxglove.websocket.v1 or foxglove.sdk.v1\n";
            return Err(refusal(StatusCode::BAD_REQUEST, words));
        };
        response.headers_mut().insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(known));
        Ok(response)
    }
}

fn refusal(status: StatusCode, words: &str) -> ErrorResponse {
    let mut response = ErrorResponse::new(Some(words.into()));
    *response.status_mut() = status;
    response
}

/// Whether a host, with or without a port, is this machine.
fn names_us(host: &str) -> bool {
    let name = host
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()))
        .map_or(host, |(name, _)| name);
    ["127.0.0.1", "localhost", "[::1]"].iter().any(|ours| name.eq_ignore_ascii_case(ours))
}

/// Whether a page of this origin may read along.
fn is_trusted(origin: &str) -> bool {
    let Some((scheme, host)) = origin.split_once("://") else { return false };
    match scheme {
        "https" if host == "foxglove.dev" || host.ends_with(".foxglove.dev") => true,
        "http" | "https" => names_us(host),
        // Applications, such as Foxglove's and Lichtblick's on the desk: their pages are files of theirs.
        "file" | "foxglove" | "app" | "lichtblick" => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_strangers_are_distinguished_from_those_of_viewers() {
        let trusted = [
            "https://app.foxglove.dev",
            "http://localhost:8080",
            "https://127.0.0.1",
            "file://",
            "http://[::1]:3000",
        ];
        let strangers = [
            "https://foxglove.dev.evil.org",
            "https://evilfoxglove.dev",
            "http://app.foxglove.dev",
            "null",
            "https://localhost.evil.org",
            "",
            "http://127.0.0.1.evil.org:80",
        ];
        assert!(trusted.iter().all(|origin| is_trusted(origin)));
        assert_eq!(strangers.iter().find(|origin| is_trusted(origin)), None);
    }
}
