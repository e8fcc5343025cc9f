//! The text of a job. In: its name, tables, settings, the relation. Out: the statement, settings for a session, and the whole as a script.

use std::collections::BTreeMap;

use unisono_compiler::diagnostic::{Code, Diagnostic};
use unisono_compiler::ids::{DatasetId, Id};
use unisono_compiler::relation::Relation;
use unisono_dialects::{
    Binding, Bindings, BoundSource, Pin, TableSpec, Target, emit, flink_create_table_if_missing,
    flink_rollup_insert, separate, tumbled,
};

use super::windowed::EVENTS;
use crate::compile::made;
use crate::engine::flink::{CATALOG, Mode, create_catalog_at, own_settings};
use crate::pipeline::Windows;

/// What a job needs beside what the project says.
pub const SETTINGS: [(&str, &str); 3] = [
    // Without it nothing is ever committed, and nothing says so.
    ("execution.checkpointing.interval", "10 s"),
    // Paimon's sink fails beside a materializer; all changes of a key come through one task, in their order.
    ("table.exec.sink.upsert-materialize", "NONE"),
    ("table.optimizer.reuse-sub-plan-enabled", "true"),
];

/// Options of each source beside the consumer of each place that reads it: new rows are seen within a second.
pub(super) const SOURCE: [(&str, &str); 3] = [
    ("consumer.expiration-time", "7 d"),
    // A job without a state must not begin where one with a state stopped.
    ("consumer.ignore-progress", "true"),
    ("continuous.discovery-interval", "1 s"),
];

/// A job as a script.
pub struct JobText<'a> {
    /// The pipeline.
    pub pipeline: &'a str,
    /// The warehouse as the project file has it.
    pub warehouse: &'a str,
    /// The name of the job and of its consumers.
    pub name: &'a str,
    /// The settings of the project file.
    pub own: &'a [(String, String)],
    /// The tables that are read.
    pub sources: &'a [TableSpec],
    /// The table that is written.
    pub rollup: &'a TableSpec,
    /// The table of events that it reads, of a windowed pipeline.
    pub events: Option<&'a str>,
    /// The statement that keeps it.
    pub insert: &'a str,
}

/// What a job runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// The INSERT.
    pub text: String,
    /// The consumers of each table, `database.table`: one for each place at which the text reads it.
    pub readers: BTreeMap<String, Vec<String>>,
}

/// What a statement is made from.
pub struct Asked<'a> {
    /// The name of the job and of its consumers.
    pub name: &'a str,
    /// The relation, bent to the target.
    pub relation: &'a Relation,
    /// How many datasets the model has.
    pub datasets: usize,
    /// Where they are read.
    pub bindings: &'a Bindings,
    /// Flink in streaming mode.
    pub target: Target,
    /// The rollup with its catalogue, and its columns.
    pub rollup: (&'a [String], &'a TableSpec),
    /// How many of them are dimensions.
    pub dimensions: usize,
    /// The windows of a windowed pipeline, and the moment before which all buckets are told.
    pub windows: Option<(&'a Windows, Option<&'a str>)>,
}

/// The statement of a job. Flink reads a table once for each use of a step over it, and each reading has a consumer of its own: one consumer
/// of several would tell of one of them.
pub fn statement(asked: &Asked<'_>) -> Result<Statement, Vec<Diagnostic>> {
    let separated = separate(asked.relation, asked.datasets);
    let (relation, places) = match &separated {
        Some((relation, places)) => (relation, places.clone()),
        // So many places that they are not told apart: the plan will show that there are more of them than consumers.
        None => (asked.relation, (0..asked.datasets).map(DatasetId::from_index).collect()),
    };
    let free = if separated.is_some() { asked.datasets } else { 0 };
    let mut bindings = Bindings::default();
    let mut readers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (place, dataset) in places.into_iter().enumerate() {
        let Some(Binding { source: BoundSource::Table(parts), pin: _ }) = asked.bindings.get(dataset) else {
            continue;
        };
        let known = readers.entry(parts[parts.len().saturating_sub(2)..].join(".")).or_default();
        let consumer = match known.len() {
            0 => asked.name.to_string(),
            others => format!("{}_{}", asked.name, others + 1),
        };
        known.push(consumer.clone());
        let pin = Pin { branch: None, snapshot: None, consumer: Some(consumer) };
        let source = match asked.windows {
            None => BoundSource::Table(parts.clone()),
            Some((windows, _)) => {
                BoundSource::Buckets { table: vec![EVENTS.to_string()], bucket: windows.bucket }
            }
        };
        bindings.bind(DatasetId::from_index(free + place), Binding { source, pin: Some(pin) });
    }
    let (sql, findings) = match asked.windows {
        None => emit(relation, &asked.target, &bindings),
        Some((_, since)) => emit(&by_buckets(relation, since)?, &asked.target, &bindings),
    };
    let sql = made(sql, findings)?;
    let (rollup, spec) = asked.rollup;
    Ok(Statement { text: flink_rollup_insert(rollup, spec, asked.dimensions, &sql), readers })
}

/// The relation by buckets, or what of it Flink tells in no window.
fn by_buckets(relation: &Relation, since: Option<&str>) -> Result<Relation, Vec<Diagnostic>> {
    tumbled(relation, since).map_err(|why| {
        let finding = Diagnostic::new(
            Code::UnsupportedPattern,
            format!("the pipeline has no form in Flink's windows: {why}"),
        );
        vec![finding.help("keep it with an engine of kind incremental, or make it `kind: updating`")]
    })
}

/// The settings of a job's session: the project's win over those that every job has, and neither over those that decide what it means.
pub fn settings(
    name: &str,
    own: &[(String, String)],
    sources: &[String],
    rollup: &str,
) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = Vec::new();
    let mut set = |key: String, value: &str| match all.iter_mut().find(|(known, _)| *known == key) {
        Some((_, old)) => *old = value.to_string(),
        None => all.push((key, value.to_string())),
    };
    for (key, value) in SETTINGS {
        set(key.to_string(), value);
    }
    for (key, value) in own {
        set(key.clone(), value);
    }
    set("pipeline.name".to_string(), name);
    set("table.exec.sink.upsert-materialize".to_string(), "NONE");
    for table in sources {
        for (key, value) in SOURCE {
            set(format!("paimon.{CATALOG}.{table}.{key}"), value);
        }
    }
    // A checkpoint without a change is a commit too: only then can be told what the rollup reflects.
    set(format!("paimon.{CATALOG}.{rollup}.commit.force-create-snapshot"), "true");
    set(format!("paimon.{CATALOG}.{rollup}.commit.user-prefix"), name);
    all
}

impl JobText<'_> {
    /// The script: what a SQL client would be given.
    pub fn script(&self) -> String {
        let mut text = format!(
            "-- The pipeline `{}` as a Flink job; `unisono pipeline run` submits the same.\n\
             -- A relative warehouse is relative to the project file: Flink needs the whole path.\n",
            self.pipeline
        );
        let mut statement = |sql: &str| {
            text.push_str(sql.trim_end());
            text.push_str(";\n");
        };
        for (key, value) in own_settings(Mode::Streaming) {
            statement(&set(key, value));
        }
        let sources: Vec<String> = self.sources.iter().map(|spec| spec.name.clone()).collect();
        for (key, value) in settings(self.name, self.own, &sources, &self.rollup.name) {
            statement(&set(&key, &value));
        }
        statement(&create_catalog_at(self.warehouse));
        let mut databases: Vec<&str> = Vec::new();
        for spec in self.sources.iter().chain([self.rollup]) {
            let database = spec.name.split('.').next().unwrap_or_default();
            if !databases.contains(&database) {
                databases.push(database);
                statement(&format!("CREATE DATABASE IF NOT EXISTS {CATALOG}.`{database}`"));
            }
        }
        for spec in self.sources.iter().chain([self.rollup]) {
            let named = TableSpec { name: format!("{CATALOG}.{}", spec.name), ..spec.clone() };
            statement(&flink_create_table_if_missing(&named));
        }
        for text in self.events.into_iter().chain([self.insert]) {
            statement(text);
        }
        text
    }
}

fn set(key: &str, value: &str) -> String {
    format!("SET '{}' = '{}'", key.replace('\'', "''"), value.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn each_place_that_reads_a_table_has_a_consumer_of_its_own() {
        let model = "name: shop
datasets:
- {name: orders, source: shop.orders, primary_key: [id], fields: [{name: id, expression: id}, {name: region, expression: region}, {name: amount, expression: amount}]}
metrics:
- {name: total, expression: SUM(orders.amount)}
- {name: first, expression: 'MIN_BY(orders.amount, orders.id)'}
";
        let schema = "CREATE TABLE shop.orders (id BIGINT, region VARCHAR, amount DECIMAL(18,2))";
        let request =
            |measures: &str| format!("{{\"dimensions\": [\"orders.region\"], \"measures\": [{measures}]}}");
        let of = |measures: &str| {
            let moment = crate::pipeline::moment();
            let stages = crate::compile::stages_of_texts(
                model,
                &request(measures),
                Some(schema),
                "flink-streaming",
                &moment,
            );
            let (relation, resolved) = (stages.adapted.unwrap(), stages.resolved.unwrap());
            let columns = stages.relation.unwrap().columns();
            let (spec, _) = unisono_dialects::rollup_spec("shop.r", &columns[..1], &columns[1..]);
            let asked = Asked {
                name: "job",
                relation: &relation,
                datasets: resolved.model.datasets.len(),
                bindings: &unisono_dialects::bindings_of(&resolved),
                target: unisono_dialects::parse_target("flink-streaming").unwrap(),
                rollup: (&["shop".to_string(), "r".to_string()], &spec.unwrap()),
                dimensions: 1,
                windows: None,
            };
            statement(&asked).unwrap()
        };
        let hint =
            |consumer: &str| format!("shop.orders /*+ OPTIONS('consumer-id'='{consumer}') */ AS orders");
        let one = of("\"total\"");
        assert_eq!(one.readers["shop.orders"], ["job"]);
        assert_eq!(one.text.matches("FROM shop.orders").count(), 1, "{}", one.text);
        assert!(one.text.contains(&hint("job")), "{}", one.text);
        let two = of("\"total\", \"first\"");
        assert_eq!(two.readers["shop.orders"], ["job", "job_2"]);
        assert_eq!(two.text.matches("FROM shop.orders").count(), 2, "{}", two.text);
        assert!(two.text.contains(&hint("job")) && two.text.contains(&hint("job_2")), "{}", two.text);
    }

    #[test]
    fn a_script_sets_all_that_a_session_of_ours_has() {
        let rollup = TableSpec {
            name: "shop.by_region".to_string(),
            columns: Vec::new(),
            primary_key: Vec::new(),
            options: BTreeMap::new(),
        };
        let script = JobText {
            pipeline: "p",
            warehouse: "./warehouse",
            name: "unisono_p",
            own: &[],
            sources: &[],
            rollup: &rollup,
            events: None,
            insert: "INSERT INTO x SELECT 1",
        }
        .script();
        // As the session of `pipeline run` has them; without the third a cast that fails gives another answer.
        for line in [
            "SET 'execution.runtime-mode' = 'streaming';",
            "SET 'table.dml-sync' = 'false';",
            "SET 'table.exec.legacy-cast-behaviour' = 'DISABLED';",
            "SET 'table.local-time-zone' = 'UTC';",
            "SET 'table.exec.sink.upsert-materialize' = 'NONE';",
        ] {
            assert_eq!(script.lines().filter(|known| *known == line).count(), 1, "{line}\n{script}");
        }
    }

    #[test]
    fn the_project_sets_what_changes_no_meaning() {
        let own = [
            ("execution.checkpointing.interval".to_string(), "1 s".to_string()),
            ("table.exec.sink.upsert-materialize".to_string(), "FORCE".to_string()),
            ("parallelism.default".to_string(), "2".to_string()),
        ];
        let all = settings("unisono_p_1", &own, &["shop.orders".to_string()], "shop.by_region");
        let of = |key: &str| all.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
        assert_eq!(of("execution.checkpointing.interval"), Some("1 s"));
        assert_eq!(of("table.exec.sink.upsert-materialize"), Some("NONE"));
        assert_eq!(of("parallelism.default"), Some("2"));
        assert_eq!(of("pipeline.name"), Some("unisono_p_1"));
        assert_eq!(of("paimon.unisono.shop.orders.consumer.ignore-progress"), Some("true"));
        assert_eq!(of("paimon.unisono.shop.by_region.commit.user-prefix"), Some("unisono_p_1"));
    }
}
