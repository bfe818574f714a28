//! Copies of the inputs of a run, in its folder `inputs`: they make the folder complete, so that it can be
//! moved.

use crate::disk::Place;
use crate::error::{Doing, RecordError};
use crate::files::INPUTS;
use crate::manifest::InputFile;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

/// Size above which files are not copied, bytes; the manifest names them.
pub(crate) const LARGEST_COPY: u64 = 256 << 20;
/// Bytes copied at a time.
const PIECE: usize = 1 << 16;

/// Copies inputs from disk and returns them with the path of the copy, or why there is none.
pub(crate) fn keep(place: &Place, inputs: &[InputFile]) -> Result<Vec<InputFile>, RecordError> {
    let mut kept: Vec<InputFile> = Vec::with_capacity(inputs.len());
    for input in inputs {
        let same_name = |k: &&InputFile| !input.copy.is_empty() && k.copy == input.copy;
        let mut input = input.clone();
        match kept.iter().find(same_name) {
            Some(other) if other.blake3 == input.blake3 => {}
            Some(other) => leave_out(&mut input, format!("the copy of {} has that name", other.name)),
            None if !input.copy.is_empty() => copy(place, &mut input)?,
            None => {}
        }
        kept.push(input);
    }
    Ok(kept)
}

fn leave_out(input: &mut InputFile, why: String) {
    (input.copy, input.not_copied) = (String::new(), why);
}

/// Copies one input; its content must match its hash.
pub(crate) fn copy(place: &Place, input: &mut InputFile) -> Result<(), RecordError> {
    let path = Path::new(&input.path);
    let doing = || format!("copying {}", path.display());
    let mut from = File::open(path).doing(doing)?;
    if from.metadata().doing(doing)?.len() > LARGEST_COPY {
        leave_out(input, format!("it is larger than {} MiB", LARGEST_COPY >> 20));
        return Ok(());
    }
    let (replacement, mut to) = place.make_below(INPUTS)?.start(&input.copy)?;
    let (mut hasher, mut piece) = (blake3::Hasher::new(), vec![0; PIECE]);
    loop {
        let n = from.read(&mut piece).doing(doing)?;
        if n == 0 {
            break;
        }
        hasher.update(&piece[..n]);
        to.write_all(&piece[..n]).doing(doing)?;
    }
    if hasher.finalize().to_hex().as_str() != input.blake3 {
        let why = "it has changed since it was read; nothing was run".into();
        return Err(RecordError::Refused { path: path.to_path_buf(), why });
    }
    replacement.commit(to)
}
