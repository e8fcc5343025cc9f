//! The text of a job. In: its name, tables, settings, the query. Out: settings for a session, and the whole as a script.

use unisono_dialects::{TableSpec, flink_create_table_if_missing};

use crate::engine::flink::{CATALOG, Mode, create_catalog_at, own_settings};

/// What a job needs beside what the project says.
pub const SETTINGS: [(&str, &str); 3] = [
    // Without it nothing is ever committed, and nothing says so.
    ("execution.checkpointing.interval", "10 s"),
    // Paimon's sink fails beside a materializer; all changes of a key come through one task, in their order.
    ("table.exec.sink.upsert-materialize", "NONE"),
    ("table.optimizer.reuse-sub-plan-enabled", "true"),
];

/// Options of each source: where the job stands in it is kept beside the table, and new rows are seen within a second.
const SOURCE: [(&str, &str); 3] = [
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
    /// The statement that keeps it.
    pub insert: &'a str,
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
        set(format!("paimon.{CATALOG}.{table}.consumer-id"), name);
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
        statement(self.insert);
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
        assert_eq!(of("paimon.unisono.shop.orders.consumer-id"), Some("unisono_p_1"));
        assert_eq!(of("paimon.unisono.shop.by_region.commit.user-prefix"), Some("unisono_p_1"));
    }
}
