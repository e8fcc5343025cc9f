//! The warehouse: a folder with a folder for each database, and `.unisono` beside them. In: a path. Out: the tables of a
//! line; tables made, dropped, moved from a branch to main.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use paimon::catalog::Catalog;
use paimon::spec::{Schema, TableSchema};
use paimon::{CatalogOptions, FileSystemCatalog, Options};
use unisono_dialects::TableSpec;

use super::error::{LakeError, Place};
use super::files;
use super::gate::{self, HOME, OURS, WRITER};
use super::handle::Handle;
use super::lock::{self, TableLock};
use super::names::{Line, TableName, born_name, branch_database, is_branch_database};
use super::types::to_paimon;

/// The layout of `.unisono` that this program writes.
const FORMAT: &str = "1";

/// How long a command waits for a table's lock.
const LOCK_WAIT: Duration = Duration::from_mins(1);

/// An open warehouse.
#[derive(Clone, Debug)]
pub struct Lake {
    root: PathBuf,
    lock_wait: Duration,
    pub(super) catalog: FileSystemCatalog,
}

impl Lake {
    /// Makes a warehouse of an empty or absent folder, or of one that holds Paimon databases; opens one that is there.
    pub fn init(path: &Path) -> Result<Lake, LakeError> {
        local(path)?;
        if path.is_file() {
            return Err(warehouse(path, "is a file", "name a folder"));
        }
        fs::create_dir_all(path).map_err(|error| {
            warehouse(path, &format!("cannot be made: {error}"), "name a folder that you may write")
        })?;
        if !path.join(".unisono/format").exists() {
            let entries = fs::read_dir(path).map_err(|error| {
                warehouse(path, &format!("cannot be read: {error}"), "name a folder that you may read")
            })?;
            for entry in entries.flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.strip_suffix(".db").is_none() && !name.starts_with('.') {
                    return Err(warehouse(
                        path,
                        &format!("holds `{name}`, so it is some other folder"),
                        "name an empty folder, or one that holds Paimon databases only",
                    ));
                }
            }
            files::atomic_write(&path.join(".unisono/format"), format!("{FORMAT}\n").as_bytes()).map_err(
                |error| {
                    warehouse(
                        path,
                        &format!("cannot be written: {error}"),
                        "name a folder that you may write",
                    )
                },
            )?;
        }
        Lake::open(path)
    }

    /// Opens a warehouse.
    pub fn open(path: &Path) -> Result<Lake, LakeError> {
        local(path)?;
        let root = match fs::canonicalize(path) {
            Ok(root) if root.is_dir() => root,
            Ok(_) => return Err(warehouse(path, "is a file", "name a folder")),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Err(warehouse(
                    path,
                    "does not exist",
                    "load a table: `unisono load TABLE FILE` makes it",
                ));
            }
            Err(error) => {
                return Err(warehouse(
                    path,
                    &format!("cannot be opened: {error}"),
                    "name a folder that you may read",
                ));
            }
        };
        let format =
            fs::read_to_string(root.join(".unisono/format")).map_err(|error| match error.kind() {
                ErrorKind::NotFound => warehouse(
                    path,
                    "is not one of Unisono",
                    "name an empty folder, or one that `unisono load` made",
                ),
                _ => warehouse(path, &format!("cannot be read: {error}"), "name a folder that you may read"),
            })?;
        if format.trim() != FORMAT {
            let why = format!("has the format {}, and this program knows {FORMAT}", format.trim());
            return Err(warehouse(path, &why, "use the program that made it, or a later one"));
        }
        let text = root
            .to_str()
            .ok_or_else(|| warehouse(path, "has a path that is not UTF-8", "move it"))?
            .to_string();
        let mut options = Options::new();
        options.set(CatalogOptions::WAREHOUSE, text);
        let catalog = FileSystemCatalog::new(options)
            .map_err(|error| warehouse(path, &format!("cannot be opened: {error}"), "name a local folder"))?;
        Ok(Lake { root, lock_wait: LOCK_WAIT, catalog })
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where versions, pipelines and locks live.
    pub fn folder(&self) -> PathBuf {
        self.root.join(".unisono")
    }

    /// The same warehouse with another patience for locks.
    #[must_use]
    pub fn with_lock_wait(self, lock_wait: Duration) -> Lake {
        Lake { lock_wait, ..self }
    }

    /// The tables of a line, by name. Tables of others whose names are not ours to address are left out.
    pub async fn tables(&self, line: &Line) -> Result<Vec<TableName>, LakeError> {
        let failed = |error: paimon::Error| {
            warehouse(&self.root, &format!("cannot be listed: {error}"), "look at its folders")
        };
        let mut names = Vec::new();
        for database in self.catalog.list_databases().await.map_err(failed)? {
            if is_branch_database(&database) {
                continue;
            }
            for table in self.catalog.list_tables(&database).await.map_err(failed)? {
                let Ok(name) = TableName::new(&database, &table) else { continue };
                let seen = match line.checked()? {
                    Line::Main => true,
                    Line::Branch(branch) => {
                        self.table_folder(&name).join("branch").join(format!("branch-{branch}")).is_dir()
                    }
                };
                if seen {
                    names.push(name);
                }
            }
        }
        match line {
            Line::Main => {}
            Line::Branch(branch) => {
                for name in self.born(branch).await? {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
            }
        }
        names.sort();
        Ok(names)
    }

    /// The tables that were born on a branch, by the name that they will have on main.
    pub async fn born(&self, branch: &str) -> Result<Vec<TableName>, LakeError> {
        Line::branch(branch)?;
        let database = branch_database(branch);
        let folder = self.root.join(format!("{database}.db"));
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let failed = |error: paimon::Error| {
            warehouse(&folder, &format!("cannot be listed: {error}"), "look at its folders")
        };
        let mut names = Vec::new();
        for table in self.catalog.list_tables(&database).await.map_err(failed)? {
            let identifier = paimon::catalog::Identifier::new(&*database, &*table);
            let table = self.catalog.get_table(&identifier).await.map_err(failed)?;
            if let Some(home) = table.schema().options().get(HOME)
                && let Ok(name) = TableName::parse(home)
            {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Makes a table. Its schema file appears in one step; the writer is recorded in its options, this program unless the
    /// spec names another.
    pub async fn create(&self, spec: &TableSpec, line: &Line) -> Result<Handle, LakeError> {
        let name = TableName::parse(&spec.name)?;
        let place = Place::new(&name, line.checked()?);
        let mut builder = Schema::builder();
        for column in &spec.columns {
            let nullable = column.nullable && !spec.primary_key.contains(&column.name);
            let data_type = to_paimon(column.data_type, nullable).ok_or_else(|| LakeError::ColumnType {
                place: place.clone(),
                column: column.name.clone(),
                found: column.data_type.to_string(),
            })?;
            builder = builder.column_with_description(&column.name, data_type, column.comment.clone());
        }
        let mut options = spec.options.clone();
        options.entry(WRITER.to_string()).or_insert_with(|| OURS.to_string());
        let (database, folder_name) = match line {
            Line::Main => (name.database().to_string(), name.table().to_string()),
            Line::Branch(branch) => {
                options.insert(HOME.to_string(), name.to_string());
                (branch_database(branch), born_name(&name))
            }
        };
        gate::allow_read(&place, &options, !spec.primary_key.is_empty())?;
        let schema = builder.primary_key(spec.primary_key.iter().cloned()).options(options).build().map_err(
            |source| LakeError::Paimon { place: place.clone(), doing: "make", source: Box::new(source) },
        )?;
        let _lock =
            lock::acquire(&self.locks(), &format!("{database}.{folder_name}"), &place, self.lock_wait)
                .await?;
        // On a branch a new table may stand before the fork of main's, and takes its place at the merge.
        let standing = self.locate(&name, line, &place).await?;
        if standing.is_some_and(|(_, born)| born || *line == Line::Main) {
            return Err(LakeError::TableExists { place });
        }
        let folder = self.root.join(format!("{database}.db")).join(folder_name);
        let file = folder.join("schema/schema-0");
        let json = serde_json::to_vec(&TableSchema::new(0, &schema))
            .map_err(|error| files::written(&file, error.into()))?;
        if !files::create_new(&file, &json)? {
            return Err(LakeError::TableExists { place });
        }
        for parent in folder.ancestors().take(3) {
            files::sync_folder(parent).map_err(|error| files::written(parent, error))?;
        }
        self.table(&name, line).await
    }

    /// Drops a table: one of main, or one that was born on the branch. A branch of a table is dropped by `drop_branch`.
    pub async fn drop(&self, name: &TableName, line: &Line) -> Result<(), LakeError> {
        let handle = self.table(name, line).await?;
        match line {
            Line::Branch(_) if !handle.born => {
                let known = Vec::new();
                return Err(LakeError::TableNotFound { place: handle.place, known });
            }
            Line::Main | Line::Branch(_) => {}
        }
        let _lock = self.lock(&handle).await?;
        self.put_away(handle.folder())?;
        Ok(())
    }

    /// Moves a table that was born on a branch to its place on main; with `replace`, the table that stands there goes.
    /// A second call after a crash between the two steps finishes the move; after a whole one it changes nothing.
    pub async fn promote(&self, name: &TableName, branch: &str, replace: bool) -> Result<(), LakeError> {
        let line = Line::branch(branch)?;
        let target = self.table_folder(name);
        let source = self.root.join(format!("{}.db", branch_database(branch))).join(born_name(name));
        let main = self.lock_place(name).await?;
        if !source.is_dir() && target.is_dir() {
            return Ok(());
        }
        let born = self.table(name, &line).await?;
        if !born.born {
            return Err(LakeError::TableNotFound { place: born.place, known: Vec::new() });
        }
        let _born = self.lock(&born).await?;
        self.promote_locked(name, branch, replace, &main)
    }

    /// The same under the lock of its place on main that the caller holds; the born table's own is held as well.
    pub fn promote_locked(
        &self,
        name: &TableName,
        branch: &str,
        replace: bool,
        _main: &TableLock,
    ) -> Result<(), LakeError> {
        let target = self.table_folder(name);
        let source = self.root.join(format!("{}.db", branch_database(branch))).join(born_name(name));
        let place = Place::new(name, &Line::Main);
        if target.exists() {
            if !replace {
                return Err(LakeError::TableExists { place });
            }
            self.put_away(&target)?;
        }
        let parent = self.root.join(format!("{}.db", name.database()));
        fs::create_dir_all(&parent).map_err(|error| files::written(&parent, error))?;
        fs::rename(&source, &target).map_err(|error| files::written(&target, error))?;
        files::sync_folder(&parent).map_err(|error| files::written(&parent, error))
    }

    /// Takes the lock of a table's place on main, whether or not a table stands there.
    pub async fn lock_place(&self, name: &TableName) -> Result<TableLock, LakeError> {
        let place = Place::new(name, &Line::Main);
        self.lock_named(&format!("{}.{}", name.database(), name.table()), &place).await
    }

    /// Takes the lock of a table, which its branches share.
    pub(super) async fn lock(&self, handle: &Handle) -> Result<TableLock, LakeError> {
        let identifier = handle.table.identifier();
        let name = format!("{}.{}", identifier.database(), identifier.object());
        lock::acquire(&self.locks(), &name, &handle.place, self.lock_wait).await
    }

    /// Takes the lock of a table on a line, for work of several steps.
    pub async fn lock_table(&self, name: &TableName, line: &Line) -> Result<TableLock, LakeError> {
        self.lock(&self.table(name, line).await?).await
    }

    /// Takes a lock by its own name, for work that is about more than one table.
    pub async fn lock_named(&self, name: &str, place: &Place) -> Result<TableLock, LakeError> {
        lock::acquire(&self.locks(), name, place, self.lock_wait).await
    }

    fn locks(&self) -> PathBuf {
        self.folder().join("locks")
    }

    fn table_folder(&self, name: &TableName) -> PathBuf {
        self.root.join(format!("{}.db", name.database())).join(name.table())
    }

    /// Takes a table's folder out of sight in one step, then deletes it: a crash leaves no half table.
    fn put_away(&self, folder: &Path) -> Result<(), LakeError> {
        let away = self.folder().join("dropped");
        fs::create_dir_all(&away).map_err(|error| files::written(&away, error))?;
        let mut number = 0_u64;
        while away.join(number.to_string()).exists() {
            number += 1;
        }
        let free = away.join(number.to_string());
        fs::rename(folder, &free).map_err(|error| files::written(folder, error))?;
        if let Some(parent) = folder.parent() {
            files::sync_folder(parent).map_err(|error| files::written(parent, error))?;
        }
        fs::remove_dir_all(&free).map_err(|error| files::written(&free, error))
    }

    /// The branches that any table of main has, by name.
    pub async fn branches(&self) -> Result<Vec<String>, LakeError> {
        let mut names = std::collections::BTreeSet::new();
        for table in self.tables(&Line::Main).await? {
            let folder = self.table_folder(&table).join("branch");
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                if let Some(name) = entry.file_name().to_string_lossy().strip_prefix("branch-") {
                    names.insert(name.to_string());
                }
            }
        }
        Ok(names.into_iter().collect())
    }
}

/// Refuses what is no local path.
fn local(path: &Path) -> Result<(), LakeError> {
    if path.to_string_lossy().contains("://") {
        return Err(warehouse(
            path,
            "is not on the local file system",
            "name a local folder; object stores are not supported",
        ));
    }
    Ok(())
}

fn warehouse(path: &Path, why: &str, help: &str) -> LakeError {
    LakeError::Warehouse { path: path.display().to_string(), why: why.to_string(), help: help.to_string() }
}
