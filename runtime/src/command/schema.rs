//! `schema`: the JSON Schema of one kind of file, for editors.

use serde_json::Value;

use crate::flags::{Schema, SchemaOf};
use crate::output::{Outcome, Run, Style};

pub(super) fn run(verb: &Schema) -> Outcome {
    let text = text(verb.of).to_string();
    Run::default().finish(Style::Human, Some((text, Value::Null)))
}

fn text(of: SchemaOf) -> &'static str {
    match of {
        SchemaOf::Model => include_str!("../../schemas/model.schema.json"),
        SchemaOf::Project => include_str!("../../schemas/project.schema.json"),
        SchemaOf::Request => include_str!("../../schemas/request.schema.json"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project;

    fn keys(value: &Value) -> Vec<&str> {
        value.as_object().unwrap().keys().map(String::as_str).collect()
    }

    #[test]
    fn every_schema_is_json_and_closed() {
        for of in [SchemaOf::Model, SchemaOf::Project, SchemaOf::Request] {
            let schema: Value = serde_json::from_str(text(of)).unwrap();
            assert!(schema["$schema"].as_str().unwrap().contains("2020-12"), "{of:?}");
            assert!(text(of).contains("\"additionalProperties\": false"), "{of:?}");
        }
    }

    #[test]
    fn the_project_schema_knows_the_keys_that_the_reader_knows() {
        let schema: Value = serde_json::from_str(text(SchemaOf::Project)).unwrap();
        assert_eq!(keys(&schema["properties"]), project::ROOT_KEYS);
        assert_eq!(keys(&schema["$defs"]["pipeline"]["properties"]), project::PIPELINE_KEYS);
    }
}
