//! Cache for reading one scenario several times: files, parsed texts, and solids and maps by their inputs.

use crate::node::Node;
use std::any::Any;
use std::collections::HashMap;
use std::hash::Hash;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Most entries of each kind, which bounds memory if a varied knob makes each solid different. Values that
/// all cases share are stored with the first case.
const MOST: usize = 64;

/// A value of any type.
type Anything = Box<dyn Any + Send + Sync>;
type Kept<K, V> = Mutex<HashMap<K, Arc<V>>>;

/// Stores what was read and made; shared by threads.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    files: Kept<String, Option<(Vec<u8>, PathBuf)>>,
    trees: Kept<blake3::Hash, Node>,
    solids: Kept<String, Anything>,
}

fn get<K: Eq + Hash, V>(kept: &Kept<K, V>, key: &K) -> Option<Arc<V>> {
    kept.lock().ok()?.get(key).cloned()
}

fn keep<K: Eq + Hash, V>(kept: &Kept<K, V>, key: K, value: V) {
    if let Ok(mut kept) = kept.lock()
        && kept.len() < MOST
    {
        kept.insert(key, Arc::new(value));
    }
}

impl Memo {
    /// A file, as it was when it was first read; a missing file stays missing.
    pub fn file<E>(
        &self,
        key: String,
        read: impl FnOnce() -> Result<Option<(Vec<u8>, PathBuf)>, E>,
    ) -> Result<Option<(Vec<u8>, PathBuf)>, E> {
        if let Some(found) = get(&self.files, &key) {
            return Ok((*found).clone());
        }
        let found = read()?;
        keep(&self.files, key, found.clone());
        Ok(found)
    }

    /// The parsed text.
    pub fn tree(&self, text: &blake3::Hash) -> Option<Arc<Node>> {
        get(&self.trees, text)
    }

    /// Stores the parsed text.
    pub fn keep_tree(&self, text: blake3::Hash, tree: Node) {
        keep(&self.trees, text, tree);
    }

    /// A value that depends on its key alone.
    pub fn made<T: Clone + Send + Sync + 'static>(
        &self,
        key: String,
        make: impl FnOnce() -> Option<T>,
    ) -> Option<T> {
        if let Some(found) = get(&self.solids, &key)
            && let Some(found) = found.downcast_ref::<T>()
        {
            return Some(found.clone());
        }
        let made = make()?;
        keep(&self.solids, key, Box::new(made.clone()) as Anything);
        Some(made)
    }
}
