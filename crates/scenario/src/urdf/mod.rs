//! stub
use crate::include::Reading;
use crate::node::Node;
/// Audit.
#[derive(Clone, Debug, Default)]
pub struct Audit {}
pub(crate) fn import(_text: &str, _source: u32, _allow: Option<&Node>, _named: &Node, _reading: &mut Reading) -> Option<Node> { None }
