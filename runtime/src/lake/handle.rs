//! One table on one line: its columns, key, options and head. In: a line and a name, or a pin. Out: what Paimon needs to
//! read or write it there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use paimon::Table;
use paimon::catalog::{Catalog, Identifier};
use paimon::spec::{DataField, Snapshot};
use unisono_dialects::ColumnSpec;

use super::error::{LakeError, Place};
use super::gate::{self, HOME, Problem};
use super::names::{Line, TableName, born_name, branch_database};
use super::read::Pin;
use super::types::from_paimon;
use super::warehouse::Lake;

/// A table as a line sees it.
#[derive(Clone, Debug)]
pub struct Handle {
    /// The table and its line.
    pub place: Place,
    /// Its columns; one whose type the language lacks has the type Unknown.
    pub columns: Vec<ColumnSpec>,
    /// The key's columns; none for an append table.
    pub primary_key: Vec<String>,
    /// The options in its newest schema.
    pub options: BTreeMap<String, String>,
    /// The state that it is in now.
    pub head: Pin,
    /// Whether it lives on the branch alone.
    pub born: bool,
    pub(super) table: Table,
}

impl Handle {
    /// Option pairs that forbid something.
    pub fn problems(&self) -> Vec<Problem> {
        gate::problems(&self.options, !self.primary_key.is_empty())
    }

    /// Where other programs find it: database, table, and the branch to name beside them.
    pub fn stored_as(&self) -> (String, String, Option<String>) {
        let identifier = self.table.identifier();
        let branch = match &self.place.line {
            Line::Branch(branch) if !self.born => Some(branch.clone()),
            Line::Branch(_) | Line::Main => None,
        };
        (identifier.database().to_string(), identifier.object().to_string(), branch)
    }

    /// The folder of the table, for messages and for people.
    pub fn folder(&self) -> &Path {
        Path::new(self.table.location())
    }

    /// The snapshot files of the line.
    pub(super) fn snapshots(&self) -> paimon::SnapshotManager {
        self.table.snapshot_manager()
    }

    /// A failure of Paimon at this table.
    pub(super) fn failed(&self, doing: &'static str) -> impl FnOnce(paimon::Error) -> LakeError + use<> {
        let place = self.place.clone();
        move |source| failed(place, doing, source)
    }
}

/// A failure of Paimon; a file that is not there any more means that the snapshot has expired.
pub(super) fn failed(place: Place, doing: &'static str, source: paimon::Error) -> LakeError {
    let missing = match &source {
        paimon::Error::SnapshotNotExist { .. } => true,
        paimon::Error::IoUnexpected { source, .. } => source.kind().into_static() == "NotFound",
        other => other.to_string().contains("NotFound (permanent)"),
    };
    if missing && place.snapshot.is_some() {
        LakeError::SnapshotGone { place }
    } else {
        LakeError::Paimon { place, doing, source: Box::new(source) }
    }
}

impl Lake {
    /// A table on a line.
    pub async fn table(&self, name: &TableName, line: &Line) -> Result<Handle, LakeError> {
        let place = Place::new(name, line.checked()?);
        let Some((table, born)) = self.locate(name, line, &place).await? else {
            let known = self.tables(line).await?.iter().map(ToString::to_string).collect();
            return Err(LakeError::TableNotFound { place, known });
        };
        let head = table
            .snapshot_manager()
            .get_latest_snapshot()
            .await
            .map_err(|source| failed(place.clone(), "read", source))?;
        let schema = table.schema();
        let options: BTreeMap<String, String> =
            schema.options().iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        Ok(Handle {
            columns: schema.fields().iter().map(column).collect(),
            primary_key: schema.primary_keys().to_vec(),
            options,
            head: Pin {
                line: line.clone(),
                snapshot: head.as_ref().map(Snapshot::id),
                schema: head.as_ref().map_or(schema.id(), Snapshot::schema_id),
            },
            born,
            place,
            table,
        })
    }

    /// Whether a line has a table.
    pub async fn exists(&self, name: &TableName, line: &Line) -> Result<bool, LakeError> {
        let place = Place::new(name, line.checked()?);
        Ok(self.locate(name, line, &place).await?.is_some())
    }

    /// The state that a table is in now.
    pub async fn head(&self, name: &TableName, line: &Line) -> Result<Pin, LakeError> {
        Ok(self.table(name, line).await?.head)
    }

    /// The table on the line, and whether it was born there.
    pub(super) async fn locate(
        &self,
        name: &TableName,
        line: &Line,
        place: &Place,
    ) -> Result<Option<(Table, bool)>, LakeError> {
        let main = Identifier::new(name.database(), name.table());
        match line {
            Line::Main => Ok(self.open_table(&main, place).await?.map(|table| (table, false))),
            Line::Branch(branch) => {
                let born = Identifier::new(branch_database(branch), born_name(name));
                if let Some(table) = self.open_table(&born, place).await?
                    && table.schema().options().get(HOME).is_none_or(|home| *home == name.to_string())
                {
                    return Ok(Some((table, true)));
                }
                let Some(table) = self.open_table(&main, place).await? else { return Ok(None) };
                if !branch_folder(&table, branch).is_dir() {
                    return Ok(None);
                }
                let table = table
                    .copy_with_branch(branch)
                    .await
                    .map_err(|source| failed(place.clone(), "open", source))?;
                Ok(Some((table, false)))
            }
        }
    }

    async fn open_table(&self, identifier: &Identifier, place: &Place) -> Result<Option<Table>, LakeError> {
        match self.catalog.get_table(identifier).await {
            Ok(table) => Ok(Some(table)),
            Err(paimon::Error::TableNotExist { .. } | paimon::Error::DatabaseNotExist { .. }) => Ok(None),
            Err(source) => Err(failed(place.clone(), "open", source)),
        }
    }

    /// A table's columns as they were at a pin.
    pub async fn columns_at(&self, name: &TableName, pin: &Pin) -> Result<Vec<ColumnSpec>, LakeError> {
        Ok(self.pinned(name, pin).await?.0.columns)
    }

    /// The table as it was at a pin, with the schema of that time; `None` if it was empty. A snapshot whose file has
    /// expired is still whole if a tag of the line holds it.
    pub(super) async fn pinned(
        &self,
        name: &TableName,
        pin: &Pin,
    ) -> Result<(Handle, Option<Table>), LakeError> {
        let mut handle = self.table(name, &pin.line).await?;
        gate::allow_read(&handle.place, &handle.options, !handle.primary_key.is_empty())?;
        handle.place = handle.place.at(pin.snapshot);
        let schema_id = match pin.snapshot {
            None => pin.schema,
            Some(id) => {
                let snapshot = snapshot_or_tag(&handle, id).await?;
                let schema_id = snapshot.schema_id();
                let table = with_schema(&handle, schema_id).await?.copy_with_pinned_snapshot(&snapshot);
                set_schema(&mut handle, &table);
                handle.head = pin.clone();
                return Ok((handle, Some(table)));
            }
        };
        let table = with_schema(&handle, schema_id).await?;
        set_schema(&mut handle, &table);
        handle.head = pin.clone();
        Ok((handle, None))
    }
}

fn set_schema(handle: &mut Handle, table: &Table) {
    handle.columns = table.schema().fields().iter().map(column).collect();
    handle.primary_key = table.schema().primary_keys().to_vec();
}

/// The table with an older schema of its line and the options of now, as Paimon itself reads the past.
async fn with_schema(handle: &Handle, schema_id: i64) -> Result<Table, LakeError> {
    let table = &handle.table;
    if table.schema().id() == schema_id {
        return Ok(table.clone());
    }
    let schema = table.schema_manager().schema(schema_id).await.map_err(handle.failed("read"))?;
    let schema = schema.copy_with_replaced_options(table.schema().options().clone());
    table.copy_with_resolved_schema(schema, table.branch()).map_err(handle.failed("read"))
}

/// A snapshot by its file, else by a tag of the line that holds it.
pub(super) async fn snapshot_or_tag(handle: &Handle, id: i64) -> Result<Snapshot, LakeError> {
    match handle.snapshots().get_snapshot(id).await {
        Ok(snapshot) => return Ok(snapshot),
        Err(paimon::Error::SnapshotNotExist { .. }) => {}
        Err(source) => return Err(handle.failed("read")(source)),
    }
    let tags = handle.table.tag_manager().list_all().await.map_err(handle.failed("read"))?;
    tags.into_iter()
        .map(|(_, snapshot)| snapshot)
        .find(|snapshot| snapshot.id() == id)
        .ok_or_else(|| LakeError::SnapshotGone { place: handle.place.at(Some(id)) })
}

/// Where a branch's metadata lives.
pub(super) fn branch_folder(table: &Table, branch: &str) -> PathBuf {
    Path::new(table.location()).join("branch").join(format!("branch-{branch}"))
}

fn column(field: &DataField) -> ColumnSpec {
    ColumnSpec {
        name: field.name().to_string(),
        data_type: from_paimon(field.data_type()).unwrap_or(unisono_compiler::data_type::DataType::Unknown),
        nullable: field.data_type().is_nullable(),
        comment: field.description().map(ToString::to_string),
    }
}
