//! The folder `.unisono` of a warehouse: versions, branches, models, the journal. In: the folder. Out: records, each written to a
//! temporary name, synced and renamed, so that a crash leaves the old one or the new one.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use unisono_compiler::diagnostic::{Code, Diagnostic};

use super::hash;
use super::journal::Journal;
use super::record::{BranchRecord, FORMAT, Version};
use crate::lake::files::atomic_write;

/// The records of one warehouse.
#[derive(Clone, Debug)]
pub struct Store {
    root: PathBuf,
}

/// Where a line stands.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct LineRecord {
    format: u32,
    version: u64,
}

impl Store {
    /// The records below a warehouse.
    pub fn new(warehouse: &Path) -> Self {
        Store { root: warehouse.join(".unisono") }
    }

    /// All versions, oldest first.
    pub fn versions(&self) -> Result<Vec<Version>, Vec<Diagnostic>> {
        let mut numbers: Vec<u64> =
            names(&self.root.join("versions"))?.iter().filter_map(|name| name.parse().ok()).collect();
        numbers.sort_unstable();
        numbers.into_iter().filter_map(|number| self.version(number).transpose()).collect()
    }

    /// One version.
    pub fn version(&self, number: u64) -> Result<Option<Version>, Vec<Diagnostic>> {
        read(&self.root.join("versions").join(format!("{number}.json")))
    }

    /// The number that the next version gets.
    pub fn next_version(&self) -> Result<u64, Vec<Diagnostic>> {
        Ok(self.versions()?.last().map_or(1, |last| last.number + 1))
    }

    /// Adds a version; its line points to it from then on.
    pub fn add_version(&self, version: &Version) -> Result<(), Vec<Diagnostic>> {
        write(&self.root.join("versions").join(format!("{}.json", version.number)), version)?;
        let line = LineRecord { format: FORMAT, version: version.number };
        write(&self.root.join("lines").join(format!("{}.json", version.line)), &line)
    }

    /// The newest version of a line.
    pub fn line(&self, line: &str) -> Result<Option<Version>, Vec<Diagnostic>> {
        let record: Option<LineRecord> = read(&self.root.join("lines").join(format!("{line}.json")))?;
        match record {
            Some(record) => self.version(record.version),
            None => Ok(None),
        }
    }

    /// All branches by name.
    pub fn branches(&self) -> Result<BTreeMap<String, BranchRecord>, Vec<Diagnostic>> {
        let mut all = BTreeMap::new();
        for name in names(&self.root.join("branches"))? {
            if let Some(record) = self.branch(&name)? {
                all.insert(name, record);
            }
        }
        Ok(all)
    }

    /// One branch.
    pub fn branch(&self, name: &str) -> Result<Option<BranchRecord>, Vec<Diagnostic>> {
        read(&self.root.join("branches").join(format!("{name}.json")))
    }

    /// Writes a branch's record.
    pub fn put_branch(&self, record: &BranchRecord) -> Result<(), Vec<Diagnostic>> {
        write(&self.root.join("branches").join(format!("{}.json", record.name)), record)
    }

    /// Forgets a branch and where it stands; its versions stay.
    pub fn remove_branch(&self, name: &str) -> Result<(), Vec<Diagnostic>> {
        remove(&self.root.join("lines").join(format!("{name}.json")))?;
        remove(&self.root.join("branches").join(format!("{name}.json")))
    }

    /// The merge under way.
    pub fn journal(&self) -> Result<Option<Journal>, Vec<Diagnostic>> {
        read(&self.root.join("merge.json"))
    }

    /// Starts a merge.
    pub fn put_journal(&self, journal: &Journal) -> Result<(), Vec<Diagnostic>> {
        write(&self.root.join("merge.json"), journal)
    }

    /// Ends a merge.
    pub fn remove_journal(&self) -> Result<(), Vec<Diagnostic>> {
        remove(&self.root.join("merge.json"))
    }

    /// Keeps a model's text; its hash.
    pub fn put_model(&self, text: &str) -> Result<String, Vec<Diagnostic>> {
        let hash = hash(text);
        let path = self.root.join("models").join(&hash);
        if !path.is_file() {
            write_bytes(&path, text.as_bytes())?;
        }
        Ok(hash)
    }

    /// Keeps what is known of the job that an engine runs for a pipeline.
    pub fn put_job<T: Serialize>(&self, pipeline: &str, record: &T) -> Result<(), Vec<Diagnostic>> {
        write(&self.root.join("jobs").join(format!("{pipeline}.json")), record)
    }

    /// The last job of a pipeline.
    pub fn job<T: DeserializeOwned>(&self, pipeline: &str) -> Result<Option<T>, Vec<Diagnostic>> {
        read(&self.root.join("jobs").join(format!("{pipeline}.json")))
    }

    /// Keeps a pipeline's record of one epoch.
    pub fn put_epoch<T: Serialize>(
        &self,
        pipeline: &str,
        epoch: &str,
        record: &T,
    ) -> Result<(), Vec<Diagnostic>> {
        write(&self.root.join("pipelines").join(pipeline).join(format!("{epoch}.json")), record)
    }

    /// All records of a pipeline's epochs.
    pub fn epochs<T: DeserializeOwned>(&self, pipeline: &str) -> Result<Vec<T>, Vec<Diagnostic>> {
        let folder = self.root.join("pipelines").join(pipeline);
        let mut all = Vec::new();
        for name in names(&folder)? {
            all.extend(read(&folder.join(format!("{name}.json")))?);
        }
        Ok(all)
    }
}

fn failed(path: &Path, what: &str, error: &dyn std::fmt::Display) -> Vec<Diagnostic> {
    let message = format!("`{}` cannot be {what}: {error}", path.display());
    vec![Diagnostic::new(Code::Warehouse, message)]
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Vec<Diagnostic>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(path, "read", &error)),
    };
    serde_json::from_str(&text).map(Some).map_err(|error| failed(path, "understood", &error))
}

fn write<T: Serialize>(path: &Path, record: &T) -> Result<(), Vec<Diagnostic>> {
    let text = serde_json::to_string_pretty(record).map_err(|error| failed(path, "written", &error))?;
    write_bytes(path, (text + "\n").as_bytes())
}

fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Vec<Diagnostic>> {
    atomic_write(path, bytes).map_err(|error| failed(path, "written", &error))
}

fn remove(path: &Path) -> Result<(), Vec<Diagnostic>> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failed(path, "removed", &error)),
    }
}

/// Stems of the JSON files of a folder, sorted; none if it does not exist.
fn names(folder: &Path) -> Result<Vec<String>, Vec<Diagnostic>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(folder, "read", &error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| failed(folder, "read", &error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if let Some(stem) = name.strip_suffix(".json") {
            found.push(stem.to_string());
        }
    }
    found.sort();
    Ok(found)
}
