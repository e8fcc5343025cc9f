//! The table that a load writes: as it is, or as it will be made. In: the verb, the warehouse, the project's models. Out: columns
//! with types, the key, and whether the table is new.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, new_null_array};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType as ArrowType, Field, Schema, SchemaRef};
use unisono_compiler::catalog::{Catalog, Column, Table, parse_ddl};
use unisono_compiler::data_type::DataType;
use unisono_compiler::diagnostic::{Code, Diagnostic, has_errors};
use unisono_compiler::model::{Model, lower};
use unisono_dialects::{ColumnSpec, TableSpec, append_options, source_key_options};

use super::Effect;
use crate::compile::{strange_types, unused_types};
use crate::data::file;
use crate::data::sources::hints_of;
use crate::flags::Load;
use crate::lake::{Line, TableName, arrow_type};
use crate::output::Run;
use crate::pipeline::table_of;
use crate::project::is_same_table;
use crate::workspace::{Workspace, taken};

/// Where rows go.
pub(super) struct Target {
    /// The table.
    pub(super) name: TableName,
    /// Its line.
    pub(super) line: Line,
    /// The file's columns, in the file's order, with the table's types.
    pub(super) columns: Vec<Column>,
    /// The table's columns.
    pub(super) table: Vec<ColumnSpec>,
    /// The key's columns.
    pub(super) key: Vec<String>,
    /// Whether the load makes it.
    pub(super) is_new: bool,
    /// Rows that go need only their keys.
    keys_only: bool,
}

/// Finds the table, or decides what it will be.
pub(super) async fn find(
    run: &mut Run,
    workspace: &Workspace,
    verb: &Load,
    line: &Line,
    effect: Effect,
) -> Option<Target> {
    let name = taken(run, TableName::parse(&verb.table))?;
    let models = lowered(run, workspace);
    let declared = run.check(declared_types(verb))?;
    if taken(run, workspace.lake.exists(&name, line).await)? {
        return existing(run, workspace, verb, name, line, effect).await;
    }
    if effect == Effect::Delete {
        run.diagnostics.push(
            Diagnostic::new(Code::TableNotFound, format!("there is no table `{name}` to delete from"))
                .help("load rows first"),
        );
        return None;
    }
    let described = models.iter().find_map(|model| {
        let found = model.datasets.iter().find(|(_, dataset)| {
            table_of(&workspace.found.project, &dataset.source)
                .is_some_and(|parts| TableName::parse(&parts.join(".")).is_ok_and(|table| table == name))
        });
        found.map(|(id, _)| (model, id))
    });
    let hints = described.map(|(model, dataset)| hints_of(model, dataset)).unwrap_or_default();
    let columns = run.check(file::columns(&verb.file, declared.as_ref(), &hints))?;
    let columns = with_project_types(run, workspace, &name, columns)?;
    let given: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    // A table that is made keeps its types: a name that fits no column would leave one to be inferred for good.
    let strange = strange_types(&workspace.found.project, &name.to_string(), &given, Code::NameNotFound);
    run.stage((Some(()), strange))?;
    run.diagnostics.extend(perhaps_meant(workspace, &models, &name));
    let key = match (&verb.primary_key[..], described) {
        ([], Some((model, dataset))) => {
            let key = model.datasets[dataset].keys.iter().find(|key| key.primary);
            key.map(|key| key.columns.iter().map(|column| column.text.clone()).collect()).unwrap_or_default()
        }
        ([], None) => Vec::new(),
        (given, _) => given.to_vec(),
    };
    let key = run.check(known_key(&key, &columns, &verb.file))?;
    if effect == Effect::Upsert && key.is_empty() {
        run.diagnostics.push(no_key(&name));
        return None;
    }
    if described.is_none() && !models.is_empty() {
        let without = if key.is_empty() { ", and it has no key" } else { "" };
        run.notes.push(format!("no dataset of the models reads {name}{without}"));
    }
    let table = columns
        .iter()
        .map(|column| ColumnSpec {
            name: column.name.clone(),
            data_type: column.data_type,
            nullable: !key.contains(&column.name),
            comment: None,
        })
        .collect();
    Some(Target { name, line: line.clone(), columns, table, key, is_new: true, keys_only: false })
}

async fn existing(
    run: &mut Run,
    workspace: &Workspace,
    verb: &Load,
    name: TableName,
    line: &Line,
    effect: Effect,
) -> Option<Target> {
    let handle = taken(run, workspace.lake.table(&name, line).await)?;
    let key = handle.primary_key.clone();
    if !verb.primary_key.is_empty() && verb.primary_key != key {
        let is = if key.is_empty() { "no key".to_string() } else { format!("the key {}", key.join(", ")) };
        run.diagnostics.push(
            Diagnostic::new(Code::Usage, format!("{name} has {is}, and a key never changes"))
                .help("leave --primary-key out, or load into a new table"),
        );
        return None;
    }
    if key.is_empty() && effect != Effect::Insert {
        run.diagnostics.push(no_key(&name));
        return None;
    }
    let has: Vec<&str> = handle.columns.iter().map(|column| column.name.as_str()).collect();
    run.diagnostics.extend(strange_types(
        &workspace.found.project,
        &name.to_string(),
        &has,
        Code::UnusedType,
    ));
    let known =
        Table { name: vec![name.to_string()], columns: handle.columns.iter().map(Column::from).collect() };
    let wanted: Vec<&ColumnSpec> = match effect {
        Effect::Insert | Effect::Upsert => handle.columns.iter().collect(),
        Effect::Delete => handle.columns.iter().filter(|column| key.contains(&column.name)).collect(),
    };
    // The table's columns are those that the file must have; a file that deletes needs only the keys.
    let mut declared = known.clone();
    declared.columns.retain(|column| wanted.iter().any(|one| one.name == column.name));
    let columns = run.check(file::columns_for(&verb.file, &known, &declared))?;
    let strange: Vec<Diagnostic> = columns
        .iter()
        .filter(|column| known.column(&column.name).is_none())
        .map(|column| {
            Diagnostic::new(
                Code::DataMalformed,
                format!("{}: {name} has no column `{}`", verb.file.display(), column.name),
            )
            .suggest(&column.name, known.columns.iter().map(|column| column.name.as_str()))
            .help("a table takes only the columns that it was made with")
        })
        .chain(
            wanted
                .iter()
                .filter(|column| !columns.iter().any(|given| given.name.eq_ignore_ascii_case(&column.name)))
                .map(|column| {
                    Diagnostic::new(
                        Code::DataMalformed,
                        format!(
                            "{}: the file has no column `{}`, which {name} has",
                            verb.file.display(),
                            column.name
                        ),
                    )
                    .help("add the column to the file; leave its fields empty where there is no value")
                }),
        )
        .collect();
    if !strange.is_empty() {
        run.diagnostics.extend(strange);
        return None;
    }
    Some(Target {
        name,
        line: line.clone(),
        columns,
        table: handle.columns,
        key,
        is_new: false,
        keys_only: effect == Effect::Delete,
    })
}

impl Target {
    /// The spec of a new table.
    pub(super) fn spec(&self) -> TableSpec {
        TableSpec {
            name: self.name.to_string(),
            columns: self.table.clone(),
            primary_key: self.key.clone(),
            options: if self.key.is_empty() { append_options() } else { source_key_options() },
        }
    }

    /// What a new table is, for people.
    pub(super) fn described(&self) -> String {
        let width = self.table.iter().map(|column| column.name.chars().count()).max().unwrap_or(0);
        let lines: Vec<String> = self
            .table
            .iter()
            .map(|column| {
                let key = if self.key.contains(&column.name) { "  key" } else { "" };
                format!("  {:<width$}  {}{key}\n", column.name, column.data_type)
            })
            .collect();
        format!("made {}:\n{}", self.name, lines.concat())
    }

    /// A batch with the table's columns in the table's order and types.
    pub(super) fn shape(&self, batch: &RecordBatch, file: &Path) -> Result<RecordBatch, Vec<Diagnostic>> {
        let wrong = |column: &str, why: &str| {
            vec![Diagnostic::new(
                Code::DataMalformed,
                format!("{}: the column `{column}` does not fit {}: {why}", file.display(), self.name),
            )]
        };
        let schema = self.schema();
        let mut arrays: Vec<ArrayRef> = Vec::new();
        for (column, field) in self.table.iter().zip(schema.fields()) {
            let at = batch
                .schema()
                .fields()
                .iter()
                .position(|given| given.name().eq_ignore_ascii_case(&column.name));
            let array = match at {
                Some(at) => {
                    exact(batch.column(at), field, &column.name).map_err(|why| wrong(&column.name, &why))?
                }
                None if self.keys_only => placeholder(field, batch.num_rows()),
                None => return Err(wrong(&column.name, "the file lacks it")),
            };
            if !column.nullable && !self.keys_only && array.null_count() > 0 {
                return Err(wrong(&column.name, "it may not be empty"));
            }
            arrays.push(array);
        }
        RecordBatch::try_new(schema, arrays).map_err(|error| wrong("*", &error.to_string()))
    }

    fn schema(&self) -> SchemaRef {
        let fields: Vec<Field> = self
            .table
            .iter()
            .map(|column| {
                // `create` and `open` refuse what has no Arrow type of ours.
                let data_type = arrow_type(column.data_type).unwrap_or(ArrowType::Utf8);
                Field::new(&column.name, data_type, column.nullable || self.keys_only)
            })
            .collect();
        Arc::new(Schema::new(fields))
    }
}

/// A row that goes needs its key only; what else the table says may not be NULL gets a value that nobody reads.
fn placeholder(field: &Field, rows: usize) -> ArrayRef {
    new_null_array(field.data_type(), rows)
}

/// The same values in another type, or why they are not the same.
fn exact(array: &ArrayRef, field: &Field, name: &str) -> Result<ArrayRef, String> {
    if array.data_type() == field.data_type() {
        return Ok(Arc::clone(array));
    }
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let made = cast_with_options(array, field.data_type(), &options).map_err(|error| error.to_string())?;
    let back = cast_with_options(&made, array.data_type(), &options).map_err(|error| error.to_string())?;
    if back.to_data() == array.to_data() {
        Ok(made)
    } else {
        Err(format!(
            "a value of `{name}` would change on its way from {} to {}",
            array.data_type(),
            field.data_type()
        ))
    }
}

fn lowered(run: &mut Run, workspace: &Workspace) -> Vec<Model> {
    // A load works without models, and with models that are at fault.
    let mut aside = Run::default();
    let models = workspace.models(&mut aside);
    if models.is_none() && !workspace.found.project.models.is_empty() {
        run.notes.push(
            "the project's models cannot be read, so keys and types come from the file alone".to_string(),
        );
    }
    models.map(|all| all.models.iter().map(|model| lower(model).0).collect()).unwrap_or_default()
}

/// `--types "id BIGINT, amount DECIMAL(18,2)"`.
fn declared_types(verb: &Load) -> Result<Option<Table>, Vec<Diagnostic>> {
    let Some(types) = &verb.types else { return Ok(None) };
    let source = unisono_compiler::source::SourceId(0);
    let (catalog, findings) = parse_ddl(source, &["CREATE TABLE t (", types, ")"].concat());
    let wrong = |why: &str| {
        vec![
            Diagnostic::new(Code::Usage, format!("--types `{types}` {why}"))
                .help("write it as columns of a table: --types \"id BIGINT, amount DECIMAL(18,2)\""),
        ]
    };
    if has_errors(&findings) {
        return Err(wrong("cannot be read"));
    }
    let Catalog { tables, queries: _ } = catalog;
    tables.into_iter().next().map(Some).ok_or_else(|| wrong("names no column"))
}

/// `types:` of the project, where neither the file's declared types nor the model say otherwise.
fn with_project_types(
    run: &mut Run,
    workspace: &Workspace,
    name: &TableName,
    columns: Vec<Column>,
) -> Option<Vec<Column>> {
    let mut catalog = Catalog::default();
    let findings = crate::compile::add_types(&mut catalog, &workspace.found.project.types);
    run.stage((Some(()), findings))?;
    let parts: Vec<String> = name.to_string().split('.').map(ToString::to_string).collect();
    let known = catalog.find(&parts);
    Some(
        columns
            .into_iter()
            .map(|column| match known.and_then(|table| table.column(&column.name)) {
                Some(declared) if declared.data_type != DataType::Unknown => {
                    Column { name: column.name, ..declared.clone() }
                }
                Some(_) | None => column,
            })
            .collect(),
    )
}

/// The entries of `types:` for a table that nothing knows, and whose name is near to the one that is made.
fn perhaps_meant(workspace: &Workspace, models: &[Model], name: &TableName) -> Vec<Diagnostic> {
    let text = name.to_string();
    let column =
        ColumnSpec { name: String::new(), data_type: DataType::Unknown, nullable: true, comment: None };
    let made = Table { name: vec![text.clone()], columns: vec![Column::from(&column)] };
    let declared = Catalog { tables: vec![made], ..Catalog::default() };
    let mut findings = unused_types(&workspace.found.project, models, &declared);
    findings.retain(|finding| finding.candidates.iter().any(|near| is_same_table(near, &text)));
    findings
}

/// The key's columns as the file writes them.
fn known_key(key: &[String], columns: &[Column], file: &Path) -> Result<Vec<String>, Vec<Diagnostic>> {
    key.iter()
        .map(|wanted| {
            columns
                .iter()
                .find(|column| column.name.eq_ignore_ascii_case(wanted))
                .map(|column| column.name.clone())
                .ok_or_else(|| {
                    vec![
                        Diagnostic::new(
                            Code::DataMalformed,
                            format!(
                                "{}: the file has no column `{wanted}` for the primary key",
                                file.display()
                            ),
                        )
                        .suggest(wanted, columns.iter().map(|column| column.name.as_str())),
                    ]
                })
        })
        .collect()
}

fn no_key(name: &TableName) -> Diagnostic {
    Diagnostic::new(
        Code::PrimaryKeyRequired,
        format!("{name} has no primary key, so its rows cannot be replaced or deleted"),
    )
    .help("make the table with --primary-key COLUMN")
}
