//! The finished result: rows of all blocks in order of their index, in row groups of fixed size.

use super::part::{GROUP, batch, failed, schema, writer};
use super::{BLOCK, Finished, RESULT, SEAL, Store};
use crate::case::Row;
use crate::error::CampaignError;
use std::sync::Arc;

impl Store {
    /// Puts `cases.parquet` together from its first `cases` cases and says how it ended. They must all be there.
    pub fn finish(&self, cases: u64) -> Result<Finished, CampaignError> {
        let _lock = Store::lock(self.root())?;
        let found = self.found()?;
        let planned = &self.planned;
        let schema = Arc::new(schema(planned));
        let wrong = |why: String| CampaignError::Store { path: self.root().path_of(RESULT), why };
        self.root().write_with(RESULT, |out| {
            let mut writer = writer(out, &schema).map_err(wrong)?;
            let mut waiting: Vec<Row> = Vec::new();
            let mut next = 0;
            for block in 0..cases.div_ceil(BLOCK) {
                for row in found.block(block, planned)?.into_iter().filter(|row| row.index < cases) {
                    if row.index != next {
                        return Err(wrong(format!("case {next} is missing")));
                    }
                    next += 1;
                    waiting.push(row);
                }
                // Whole groups only, so that they do not depend on the blocks.
                if waiting.len() >= GROUP {
                    let group: Vec<Row> = waiting.drain(..GROUP).collect();
                    let batch = batch(planned, &schema, &group).map_err(wrong)?;
                    writer.write(&batch).map_err(|e| failed(self.root(), RESULT, e))?;
                }
            }
            if next != cases {
                return Err(wrong(format!("case {next} is missing")));
            }
            if !waiting.is_empty() {
                let batch = batch(planned, &schema, &waiting).map_err(wrong)?;
                writer.write(&batch).map_err(|e| failed(self.root(), RESULT, e))?;
            }
            writer.close().map_err(|e| failed(self.root(), RESULT, e))?;
            Ok(())
        })?;
        let finished = Finished {
            plan: planned.hash.clone(),
            cases,
            until_decided: self.until_decided(),
            cases_blake3: self.result_hash()?,
        };
        let text = serde_json::to_string_pretty(&finished).map_err(|e| wrong(e.to_string()))?;
        self.root().write(SEAL, (text + "\n").as_bytes())?;
        // What a shard of another count left is in the result now.
        for (_, place, name) in &found.journals {
            place.remove(name)?;
        }
        Ok(finished)
    }

    /// A finished result must be the one that was written.
    pub(crate) fn check_result(&self) -> Result<(), CampaignError> {
        match self.finished()? {
            Some(finished) if finished.cases_blake3 != self.result_hash()? => Err(CampaignError::Store {
                path: self.root().path_of(RESULT),
                why:
                    "it is not what was written; delete it, and touchdown campaign run puts it together again"
                        .into(),
            }),
            _ => Ok(()),
        }
    }

    /// Hash of `cases.parquet`.
    pub fn result_hash(&self) -> Result<String, CampaignError> {
        let path = self.root().path_of(RESULT);
        let store = |e: std::io::Error| CampaignError::Store { path: path.clone(), why: e.to_string() };
        let mut hasher = blake3::Hasher::new();
        std::fs::File::open(&path).and_then(|f| hasher.update_reader(f).map(|_| ())).map_err(store)?;
        Ok(hasher.finalize().to_hex().to_string())
    }
}
