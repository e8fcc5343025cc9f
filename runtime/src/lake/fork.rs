//! Tags, and the branches that start from them. In: a table, a branch, a tag. Out: a branch that appears in one step, main
//! moved forward to it, or both gone. Every step holds the table's lock, and files of a table are made whole or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use paimon::table::SchemaManager;

use super::error::{LakeError, Place};
use super::files;
use super::handle::{Handle, branch_folder};
use super::lock::TableLock;
use super::names::{Line, TableName, checked_tag};
use super::read::Pin;
use super::warehouse::Lake;
use super::write::first_snapshot;

/// The tag that holds a branch's files; it lives as long as the branch.
pub fn fork_tag(branch: &str) -> String {
    format!("fork_{branch}")
}

/// How far main went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moved {
    /// Main's snapshot before.
    pub from: i64,
    /// Main's snapshot after; the same if the branch had nothing new.
    pub to: i64,
}

impl Lake {
    /// Keeps a snapshot's files under a name. The same tag of the same snapshot again changes nothing.
    pub async fn tag(
        &self,
        name: &TableName,
        line: &Line,
        tag: &str,
        snapshot: i64,
    ) -> Result<(), LakeError> {
        checked_tag(tag)?;
        let handle = self.table(name, line).await?;
        let _lock = self.lock(&handle).await?;
        put_tag(&handle, tag, snapshot).await
    }

    /// The tags of a line with the snapshots that they hold, by name.
    pub async fn tags(&self, name: &TableName, line: &Line) -> Result<Vec<(String, i64)>, LakeError> {
        let handle = self.table(name, line).await?;
        let tags = handle.table.tag_manager().list_all().await.map_err(handle.failed("read"))?;
        Ok(tags.into_iter().map(|(tag, snapshot)| (tag, snapshot.id())).collect())
    }

    /// Lets a tag go, unless a branch lives from it. A tag that is not there is no error.
    pub async fn delete_tag(&self, name: &TableName, line: &Line, tag: &str) -> Result<(), LakeError> {
        checked_tag(tag)?;
        let handle = self.table(name, line).await?;
        let _lock = self.lock(&handle).await?;
        match line {
            Line::Main => {
                for branch in branches_of(&handle)? {
                    if branch_folder(&handle.table, &branch).join(format!("tag/tag-{tag}")).exists() {
                        let (place, tag) = (handle.place, tag.to_string());
                        return Err(LakeError::TagInUse { place, tag, branch });
                    }
                }
            }
            Line::Branch(_) => {}
        }
        remove_tag(&handle, tag)
    }

    /// Makes a branch of a table from a tag, which is put on main's head if it does not exist. A table without a
    /// snapshot gets an empty one. The branch appears in one step; half a branch would stop Flink's cleaning.
    pub async fn fork(&self, name: &TableName, branch: &str, tag: &str) -> Result<Pin, LakeError> {
        let line = Line::branch(branch)?;
        checked_tag(tag)?;
        let handle = self.table(name, &Line::Main).await?;
        let _lock = self.lock(&handle).await?;
        let target = branch_folder(&handle.table, branch);
        if target.exists() {
            return Err(LakeError::BranchExists { place: Place::new(name, &line) });
        }
        let tagged = handle.table.tag_manager().get(tag).await.map_err(handle.failed("read"))?;
        let id = match tagged {
            Some(snapshot) => snapshot.id(),
            None => {
                let id = first_snapshot(&handle).await?;
                put_tag(&handle, tag, id).await?;
                id
            }
        };
        let snapshot = match handle.snapshots().get_snapshot(id).await {
            Ok(snapshot) => snapshot,
            Err(paimon::Error::SnapshotNotExist { .. }) => {
                return Err(LakeError::SnapshotGone { place: handle.place.at(Some(id)) });
            }
            Err(source) => return Err(handle.failed("read")(source)),
        };
        let newest = handle.snapshots().get_latest_snapshot_id().await.map_err(handle.failed("read"))?;
        let schemas = handle.table.schema_manager();
        let mut copies = vec![
            (tag_path(&handle, tag), format!("tag/tag-{tag}")),
            (PathBuf::from(handle.snapshots().snapshot_path(id)), format!("snapshot/snapshot-{id}")),
        ];
        for schema in schemas.list_all_ids().await.map_err(handle.failed("read"))? {
            // A branch of the head takes main as it is, with a schema that nothing was written with yet.
            if newest == Some(id) || schema <= snapshot.schema_id() {
                copies.push((PathBuf::from(schemas.schema_path(schema)), format!("schema/schema-{schema}")));
            }
        }
        let parent = target.with_file_name("");
        let unfinished = parent.join(format!(".new-{branch}"));
        let _ = fs::remove_dir_all(&unfinished);
        for (source, inside) in copies {
            files::atomic_write(&unfinished.join(inside), &bytes_of(&handle, &source)?)?;
        }
        fs::rename(&unfinished, &target).map_err(|error| files::written(&target, error))?;
        files::sync_folder(&parent).map_err(|error| files::written(&parent, error))?;
        Ok(Pin { line, snapshot: Some(id), schema: snapshot.schema_id() })
    }

    /// Whether main can move to a branch's head, and from where to where.
    pub async fn can_fast_forward(&self, name: &TableName, branch: &str) -> Result<Moved, LakeError> {
        let sides = Sides::of(self, name, branch).await?;
        sides.check().await.map(|check| check.moved)
    }

    /// Moves main to a branch's head: schemas, tags, then the snapshots in their order. A second call after a crash goes
    /// on where the first one stopped. The branch stays.
    pub async fn fast_forward(&self, name: &TableName, branch: &str) -> Result<Moved, LakeError> {
        let locked = self.table(name, &Line::Main).await?;
        let lock = self.lock(&locked).await?;
        self.fast_forward_locked(name, branch, &lock).await
    }

    /// The same under the table's lock that the caller holds.
    pub async fn fast_forward_locked(
        &self,
        name: &TableName,
        branch: &str,
        _lock: &TableLock,
    ) -> Result<Moved, LakeError> {
        let sides = Sides::of(self, name, branch).await?;
        let check = sides.check().await?;
        let (main, other) = (&sides.main, &sides.branch);
        for schema in check.schemas {
            sides.copy(&other.schema_path(schema), &main.schema_path(schema))?;
        }
        let tags = sides.branch.handle.table.tag_manager();
        for tag in tags.list_all_names().await.map_err(sides.branch.handle.failed("read"))? {
            let target = tag_path(&sides.main.handle, &tag);
            if !target.exists() {
                sides.copy(&tag_path(&sides.branch.handle, &tag), &target)?;
            }
        }
        for id in check.snapshots {
            let source = PathBuf::from(other.handle.snapshots().snapshot_path(id));
            sides.copy(&source, Path::new(&main.handle.snapshots().snapshot_path(id)))?;
        }
        let hint = Path::new(&main.handle.snapshots().snapshot_dir()).join("LATEST");
        files::atomic_write(&hint, check.moved.to.to_string().as_bytes())?;
        Ok(check.moved)
    }

    /// Drops a branch of a table, then the tag that held its files. What is not there is no error.
    pub async fn drop_branch(&self, name: &TableName, branch: &str) -> Result<(), LakeError> {
        Line::branch(branch)?;
        let handle = self.table(name, &Line::Main).await?;
        let _lock = self.lock(&handle).await?;
        let folder = branch_folder(&handle.table, branch);
        if folder.exists() {
            let gone = folder.with_file_name(format!(".dropped-{branch}"));
            let _ = fs::remove_dir_all(&gone);
            fs::rename(&folder, &gone).map_err(|error| files::written(&folder, error))?;
            fs::remove_dir_all(&gone).map_err(|error| files::written(&gone, error))?;
        }
        remove_tag(&handle, &fork_tag(branch))
    }
}

/// Main and a branch of one table.
struct Sides {
    main: Side,
    branch: Side,
    place: Place,
}

struct Side {
    handle: Handle,
    schemas: SchemaManager,
}

impl Side {
    fn schema_path(&self, id: i64) -> PathBuf {
        PathBuf::from(self.schemas.schema_path(id))
    }
}

/// What is still to be done.
struct Check {
    moved: Moved,
    schemas: Vec<i64>,
    snapshots: Vec<i64>,
}

impl Sides {
    async fn of(lake: &Lake, name: &TableName, branch: &str) -> Result<Sides, LakeError> {
        let line = Line::branch(branch)?;
        let place = Place::new(name, &line);
        let main = lake.table(name, &Line::Main).await?;
        if !branch_folder(&main.table, branch).is_dir() {
            return Err(LakeError::BranchNotFound { place });
        }
        let other = lake.table(name, &line).await?;
        let side = |handle: Handle| Side { schemas: handle.table.schema_manager().clone(), handle };
        Ok(Sides { main: side(main), branch: side(other), place })
    }

    fn diverged(&self, why: &str) -> LakeError {
        LakeError::BranchDiverged { place: self.place.clone(), why: why.to_string() }
    }

    /// Main's head must be a snapshot of the branch: the fork, or a later one after a call that did not finish. Main's
    /// schemas must all be the branch's.
    async fn check(&self) -> Result<Check, LakeError> {
        let (main, branch) = (&self.main, &self.branch);
        let ids = branch.handle.snapshots().list_all_ids().await.map_err(branch.handle.failed("read"))?;
        let from = main.handle.head.snapshot.ok_or_else(|| self.diverged("main has no snapshot"))?;
        let to = *ids.last().ok_or_else(|| self.diverged("the branch has no snapshot"))?;
        let ours = bytes_of(&main.handle, Path::new(&main.handle.snapshots().snapshot_path(from)))?;
        let path = branch.handle.snapshots().snapshot_path(from);
        if files::read_bytes(Path::new(&path))?.as_ref() != Some(&ours) {
            return Err(self.diverged("main was written after the branch was made"));
        }
        let known = main.schemas.list_all_ids().await.map_err(main.handle.failed("read"))?;
        let mut wanted = branch.schemas.list_all_ids().await.map_err(branch.handle.failed("read"))?;
        for id in &known {
            let same = wanted.contains(id)
                && bytes_of(&main.handle, &main.schema_path(*id))?
                    == bytes_of(&branch.handle, &branch.schema_path(*id))?;
            if !same {
                return Err(self.diverged("main's columns or options were changed after the branch was made"));
            }
        }
        wanted.retain(|id| !known.contains(id));
        let snapshots = ids.into_iter().filter(|id| *id > from).collect();
        Ok(Check { moved: Moved { from, to }, schemas: wanted, snapshots })
    }

    /// Copies a file that must not be there.
    fn copy(&self, source: &Path, target: &Path) -> Result<(), LakeError> {
        if files::create_new(target, &bytes_of(&self.branch.handle, source)?)? {
            Ok(())
        } else {
            Err(self.diverged("another writer moved main at the same moment"))
        }
    }
}

/// The bytes of a file that must be there, so that fields of later versions survive a copy.
fn bytes_of(handle: &Handle, path: &Path) -> Result<Vec<u8>, LakeError> {
    files::read_bytes(path)?.ok_or_else(|| LakeError::SnapshotGone { place: handle.place.clone() })
}

fn tag_path(handle: &Handle, tag: &str) -> PathBuf {
    PathBuf::from(handle.table.tag_manager().tag_path(tag))
}

async fn put_tag(handle: &Handle, tag: &str, snapshot: i64) -> Result<(), LakeError> {
    let tags = handle.table.tag_manager();
    let existing = tags.get(tag).await.map_err(handle.failed("read"))?;
    match existing {
        Some(held) if held.id() == snapshot => return Ok(()),
        Some(_) => return Err(LakeError::TagExists { place: handle.place.clone(), tag: tag.to_string() }),
        None => {}
    }
    let path = PathBuf::from(handle.snapshots().snapshot_path(snapshot));
    let bytes = match files::read_bytes(&path)? {
        Some(bytes) => bytes,
        // Another tag may hold a snapshot whose own file has expired.
        None => {
            let all = tags.list_all().await.map_err(handle.failed("read"))?;
            let holder = all.into_iter().find(|(_, held)| held.id() == snapshot);
            let (holder, _) =
                holder.ok_or_else(|| LakeError::SnapshotGone { place: handle.place.at(Some(snapshot)) })?;
            bytes_of(handle, &tag_path(handle, &holder))?
        }
    };
    if files::create_new(&tag_path(handle, tag), &bytes)? {
        Ok(())
    } else {
        Err(LakeError::TagExists { place: handle.place.clone(), tag: tag.to_string() })
    }
}

fn remove_tag(handle: &Handle, tag: &str) -> Result<(), LakeError> {
    let path = tag_path(handle, tag);
    match fs::remove_file(&path) {
        Ok(()) => match path.parent() {
            Some(folder) => files::sync_folder(folder).map_err(|error| files::written(folder, error)),
            None => Ok(()),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(files::written(&path, error)),
    }
}

fn branches_of(handle: &Handle) -> Result<Vec<String>, LakeError> {
    let folder = handle.folder().join("branch");
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(files::read(&folder, error)),
    };
    let mut names: Vec<String> = entries
        .flatten()
        .filter_map(|entry| {
            entry.file_name().to_string_lossy().strip_prefix("branch-").map(ToString::to_string)
        })
        .collect();
    names.sort();
    Ok(names)
}
