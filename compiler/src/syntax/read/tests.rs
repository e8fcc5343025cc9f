//! Documents written by hand: what is read of them, and what is said about them and where. In a text, `«` and `»`
//! mark the place of each finding, in the order of the findings; they are taken out before the text is read.

use super::*;
use crate::diagnostic::Code;
use crate::source::Span;
use crate::syntax::document::{Dataset, Expression, Field, Metric, Relationship, SemanticModel, Shape, Text};
use crate::syntax::marked::check_marked;

const SOURCE: SourceId = SourceId(0);

/// Reads a marked text and compares the findings with codes and messages; returns the document and the findings.
#[track_caller]
fn check(marked: &str, expected: &[(Code, &str)]) -> (Option<Document>, Vec<Diagnostic>) {
    check_marked(marked, |text| parse_document(SOURCE, text), expected)
}

#[track_caller]
fn read(text: &str) -> Document {
    check(text, &[]).0.unwrap()
}

/// A model of one dataset with these keys, as JSON.
fn dataset_with(keys: &str) -> String {
    format!("name: m\ndatasets: [{{name: t, source: s, {keys}}}]\n")
}

/// A model of one field with these keys.
fn field_with(keys: &str) -> String {
    dataset_with(&format!("fields: [{{name: f, expression: a, {keys}}}]"))
}

fn metric_with(keys: &str) -> String {
    format!(
        "name: m\ndatasets: [{{name: t, source: s}}]\nmetrics: [{{name: n, expression: COUNT(*), {keys}}}]\n"
    )
}

fn relationship_with(keys: &str) -> String {
    format!(
        "name: m\ndatasets: [{{name: t, source: s}}]\nrelationships: [{{name: r, from: a, to: b, {keys}}}]\n"
    )
}

const ORDERS: &str = "\
version: 0.2.0.dev0
semantic_model:
- name: shop
  description: what is sold
  ai_context: {instructions: be kind, synonyms: [store], anything: {else: 1}}
  datasets:
  - name: orders
    source: main.orders
    primary_key: [id]
    unique_keys: [[number], [day, sequence]]
    fields:
    - name: ordered_at
      expression:
        dialects:
        - {dialect: ANSI_SQL, expression: \"ordered_at\"}
        - {dialect: DUCKDB, expression: ordered_at + 1}
      dimension: {is_time: true}
      label: time
    - name: secret
      expression: a || 'b'
      datatype: String
      access_modifier: private
    custom_extensions:
    - {vendor_name: UNISONO, data: '{\"v\":\"1\"}'}
  relationships:
  - name: to_customers
    from: orders
    to: customers
    from_columns: [customer_id]
    to_columns: [id]
    description: who ordered
  metrics:
  - name: revenue
    expression: SUM(orders.amount)
    datatype: Decimal
";

fn name(text: &str) -> Spanned<String> {
    Spanned::new(text.to_string(), Span { source: SOURCE, start: 0, end: 0 })
}

#[test]
fn a_document_is_read_with_all_of_its_parts() {
    let document = read(ORDERS);
    assert_eq!((document.shape, document.version), (Shape::WrapperList, Some(name("0.2.0.dev0"))));
    let [SemanticModel { name: model_name, description, datasets, relationships, metrics, extensions, span }] =
        <[SemanticModel; 1]>::try_from(document.models).unwrap();
    assert_eq!((model_name, description.as_deref()), (name("shop"), Some("what is sold")));
    assert!(extensions.is_empty());
    let start = ORDERS.find("name: shop").unwrap();
    assert_eq!((span.start as usize, span.end as usize), (start, ORDERS.trim_end().len()));

    let [Dataset { name: dataset_name, source, primary_key, unique_keys, fields, description, extensions }] =
        <[Dataset; 1]>::try_from(datasets).unwrap();
    assert_eq!((dataset_name, source, description), (name("orders"), name("main.orders"), None));
    assert_eq!(primary_key, [name("id")]);
    assert_eq!(unique_keys, [vec![name("number")], vec![name("day"), name("sequence")]]);
    assert_eq!(
        (extensions[0].vendor.value.as_str(), extensions[0].data.value.as_str()),
        ("UNISONO", "{\"v\":\"1\"}")
    );

    let [time, secret] = <[Field; 2]>::try_from(fields).unwrap();
    assert!(time.is_time && !time.private && !secret.is_time && secret.private);
    assert_eq!(secret.datatype, Some(name("String")));
    let texts: Vec<(Option<&str>, &str)> = time
        .expression
        .variants
        .iter()
        .map(|variant| {
            (variant.dialect.as_ref().map(|dialect| dialect.value.as_str()), variant.text.value.as_str())
        })
        .collect();
    assert_eq!(texts, [(Some("ANSI_SQL"), "ordered_at"), (Some("DUCKDB"), "ordered_at + 1")]);
    assert_eq!(secret.expression.variants[0].dialect, None);

    let [Relationship { name: relationship_name, from, to, columns }] =
        <[Relationship; 1]>::try_from(relationships).unwrap();
    assert_eq!((relationship_name, from, to), (name("to_customers"), name("orders"), name("customers")));
    assert_eq!(columns, [(name("customer_id"), name("id"))]);

    let [Metric { name: metric_name, datatype, .. }] = <[Metric; 1]>::try_from(metrics).unwrap();
    assert_eq!((metric_name, datatype), (name("revenue"), Some(name("Decimal"))));
}

#[test]
fn expressions_know_where_their_characters_are() {
    let document = read(ORDERS);
    let slice = |text: &Text| {
        let at = text.verbatim_at.unwrap() as usize;
        (&ORDERS[text.span.start as usize..text.span.end as usize], &ORDERS[at..at + text.value.len()])
    };
    let dataset = &document.models[0].datasets[0];
    assert_eq!(slice(&dataset.fields[0].expression.variants[0].text), ("\"ordered_at\"", "ordered_at"));
    assert_eq!(slice(&dataset.fields[1].expression.variants[0].text), ("a || 'b'", "a || 'b'"));
    let Expression { span, .. } = &document.models[0].metrics[0].expression;
    assert_eq!(&ORDERS[span.start as usize..span.end as usize], "SUM(orders.amount)");
}

#[test]
fn the_four_shapes_are_told_apart() {
    let content = "name: m\ndatasets: [{name: t, source: s}]\n";
    let bare = read(content);
    assert_eq!((bare.shape, bare.models[0].name.value.as_str()), (Shape::Bare, "m"));
    assert_eq!(read(&format!("version: 0.1.1\n{content}")).shape, Shape::Flat);
    assert_eq!(
        read("semantic_model: [{name: m, datasets: [{name: t, source: s}]}]").shape,
        Shape::WrapperList
    );
    assert_eq!(
        read("semantic_model: {name: m, datasets: [{name: t, source: s}]}").shape,
        Shape::WrapperMapping
    );
    assert_eq!(read("datasets: [{name: t, source: s}]").models[0].name.value, "");
    let two = read(
        "semantic_model: [{name: a, datasets: [{name: t, source: s}]}, {name: b, datasets: [{name: t, source: s}]}]",
    );
    assert_eq!(two.models.len(), 2);
    assert_eq!(read("{\"version\": \"1.0\", \"semantic_model\": [{\"name\": \"m\", \"datasets\": [{\"name\": \"t\", \"source\": \"s\"}]}]}").shape, Shape::WrapperList);
}

#[test]
fn the_mapping_shape_takes_its_name_from_beside() {
    let (document, _) = check(
        "version: 0.2.0.dev0\n«name»: Beside\nsemantic_model:\n  datasets: [{name: t, source: s}]\n",
        &[(Code::OtherVariantKey, "`name` stands beside `semantic_model`, as where the model is the root")],
    );
    assert_eq!(document.unwrap().models[0].name.value, "Beside");
}

#[test]
fn keys_of_another_variant_are_read_with_one_warning() {
    let (document, _) = check(
        "version: 0.1.1\nsemantic_model: [{name: m, datasets: [{name: t, source: s, fields: [\n  {name: f, expression: a, «datatype»: Date},\n  {name: g, expression: b, datatype: String}]}]}]\n",
        &[(
            Code::OtherVariantKey,
            "`datatype` of a field is known to 0.2.0.dev0, not to 0.1.1, which this document follows; the document has 2 of these",
        )],
    );
    let field = &document.unwrap().models[0].datasets[0].fields[0];
    assert_eq!(field.datatype.as_ref().map(|datatype| datatype.value.as_str()), Some("Date"));
    check(
        "version: 0.2.0.dev0\n«dialects»: [ANSI_SQL]\nsemantic_model: [{name: m, datasets: [{name: t, source: s}]}]\n",
        &[(
            Code::OtherVariantKey,
            "`dialects` of a document is known to OSI without a version, 1.0, 0.1.1 and 0.2.0.dev0 of May 2026, not to 0.2.0.dev0, which this document follows",
        )],
    );
    check(
        "version: \"1.0\"\ndialects: [ANSI_SQL]\nvendors: [DBT]\nsemantic_model: [{name: m, datasets: [{name: t, source: s}]}]\n",
        &[],
    );
    check(
        &field_with("«data_type»: DATE"),
        &[(
            Code::OtherVariantKey,
            "`data_type` of a field is known to a text of the Foundation draft, not to 0.2.0.dev0, which this document follows",
        )],
    );
}

#[test]
fn the_dialect_of_a_model_is_that_of_its_plain_expressions() {
    let (document, _) = check(
        "name: m\n«dialect»: SNOWFLAKE\ndatasets: [{name: t, source: s}]\nmetrics: [{name: n, expression: COUNT(*)}]\n",
        &[(
            Code::OtherVariantKey,
            "`dialect` of a semantic model is known to a text of the Foundation draft, not to 0.2.0.dev0, which this document follows",
        )],
    );
    assert_eq!(
        document.unwrap().models[0].metrics[0].expression.variants[0].dialect,
        Some(name("SNOWFLAKE"))
    );
}

#[test]
fn unknown_keys_are_found_at_every_level() {
    let unknown = |marked: &str, message: &str| {
        let (_, diagnostics) = check(marked, &[(Code::UnknownKey, message)]);
        (diagnostics[0].candidates.join(" "), diagnostics[0].help.join(" "))
    };
    assert_eq!(
        unknown(
            "«versio»: 1\nname: m\ndatasets: [{name: t, source: s}]\n",
            "`versio` is no key of the document"
        )
        .0,
        "version"
    );
    assert_eq!(
        unknown(&dataset_with("«primarykey»: [id]"), "`primarykey` is no key of dataset `t`").0,
        "primary_key"
    );
    assert_eq!(
        unknown(&field_with("«descripton»: x"), "`descripton` is no key of field `f`").0,
        "description"
    );
    assert_eq!(
        unknown(&field_with("«primary_key»: [id]"), "`primary_key` is no key of field `f`").1,
        "`primary_key` is a key of a dataset"
    );
    assert_eq!(
        unknown(&field_with("dimension: {«zzz»: 1}"), "`zzz` is no key of `dimension` of field `f`"),
        (String::new(), "`dimension` knows is_time".to_string())
    );
    unknown(&metric_with("«Datatype»: Date"), "`Datatype` is no key of metric `n`");
    unknown(
        &relationship_with("from_columns: [a], to_columns: [b], «type»: left"),
        "`type` is no key of relationship `r`",
    );
    unknown(
        "name: m\ndatasets: [{name: t, source: s}]\nmetrics: [{name: n, expression: {dialects: [{dialect: MDX, expression: x, «xy»: 1}]}}]\n",
        "`xy` is no key of an entry of `dialects` of metric `n`",
    );
    unknown(
        &dataset_with("custom_extensions: [{vendor_name: v, data: '{}', «xy»: 1}]"),
        "`xy` is no key of an entry of `custom_extensions` of dataset `t`",
    );
    unknown(
        "semantic_model: [{name: m, datasets: [{name: t, source: s}]}]\n«metrics»: []\n",
        "`metrics` stands beside `semantic_model`, not in a model",
    );
}

#[test]
fn deferred_keys_are_refused_wherever_they_stand() {
    let deferred = |marked: &str, message: &str| {
        let (_, diagnostics) = check(marked, &[(Code::DeferredKeyRejected, message)]);
        diagnostics[0].help.join(" ")
    };
    let pairs = "from_columns: [a], to_columns: [b]";
    for key in ["referential_integrity", "from_all_rows_match", "condition", "asof", "range"] {
        let message = format!("`{key}` in relationship `r` is recognised by OSI but deferred");
        deferred(&relationship_with(&format!("{pairs}, «{key}»: x")), &message);
    }
    for key in ["grain", "filter", "using_relationships", "joins"] {
        let message = format!("`{key}` in metric `n` is recognised by OSI but deferred");
        deferred(&metric_with(&format!("«{key}»: x")), &message);
    }
    deferred(&field_with("«grain»: day"), "`grain` in field `f` is recognised by OSI but deferred");
    deferred(
        &field_with("dimension: {«grain»: day}"),
        "`grain` in `dimension` of field `f` is recognised by OSI but deferred",
    );
    deferred(
        &format!("«natural_grain»: t\n{}", dataset_with("description: x")),
        "`natural_grain` in the document is recognised by OSI but deferred",
    );
    assert_eq!(
        deferred(
            &dataset_with("«metrics»: []"),
            "`metrics` in dataset `t` is recognised by OSI but deferred"
        ),
        "move it to the `metrics` of the model: a metric belongs to no dataset"
    );
}

#[test]
fn other_documents_are_refused_by_name() {
    let refused = |marked: &str, message: &str| {
        let (document, _) = check(marked, &[(Code::UnsupportedVersion, message)]);
        assert_eq!(document, None);
    };
    let ontology = "this is an OSI ontology document, not a semantic model";
    refused("«version»: 0.2.0.dev0\nname: flights\nontology: []\n", ontology);
    refused("version: «0.3.0»\nsemantic_model: []\n", "version `0.3.0` of OSI is not supported");
    refused("version: «1»\nname: m\ndatasets: []\n", "version `1` of OSI is not supported");
    refused(
        "«name»: m\ntables: []\n",
        "this looks like a Snowflake semantic view, not like an OSI semantic model",
    );
    refused("«a»: 1\n", "this is not an OSI semantic model");
    refused("«- a\n- b»\n", "the document is a list, not a semantic model");
    refused("«hello»", "the document is text, not a semantic model");
    let (_, diagnostics) = check(
        "name: m\n«semanticmodel»: []\n",
        &[(Code::UnknownKey, "`semanticmodel` is no key of the document; the nearest is `semantic_model`")],
    );
    assert_eq!(diagnostics[0].candidates, ["semantic_model"]);
}

#[test]
fn a_key_written_wrong_comes_before_the_one_that_is_missing() {
    let (_, diagnostics) = parse_document(
        SOURCE,
        "semantic_model:\n- name: m\n  datsets: []\n- nme: n\n  datasets: [{name: t, sorce: s}]\n",
    );
    let messages: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "`datsets` is no key of semantic model `m`",
            "semantic model `m` has no `datasets`",
            "`nme` is no key of a semantic model",
            "a semantic model has no `name`",
            "`sorce` is no key of dataset `t`",
            "dataset `t` has no `source`",
        ]
    );
}

#[test]
fn wrong_kinds_and_missing_keys_are_reported_together() {
    let (document, _) = check(
        "version: 0.2.0.dev0
semantic_model:
- «description»: «[x]»
  datasets:
  - name: a
    source: s
    fields: «text»
    primary_key: «id»
  - «name»:
    source: «''»
  - «source»: s
  - «text»
  - name: b
    source: s
    unique_keys: [«x», «[]»]
    fields:
    - {«name»: f}
    - {name: g, expression: «' '»}
    - {name: h, expression: «[]»}
    - {name: i, expression: {dialects: «[]»}}
    - {name: j, expression: {«dialects»: }}
    - {name: k, expression: x, dimension: {is_time: «\"true\"»}}
    - {name: l, expression: x, dimension: {is_time: «yes»}, access_modifier: «hidden»}
  metrics: «{}»
",
        &[
            (Code::Parse, "a semantic model has no `name`"),
            (Code::Parse, "`description` must be text, found a list"),
            (Code::Parse, "`fields` must be a list, found text"),
            (Code::Parse, "`primary_key` must be a list, found text"),
            (Code::Parse, "`name` of a dataset is empty"),
            (Code::Parse, "`source` of a dataset is empty"),
            (Code::Parse, "a dataset has no `name`"),
            (Code::Parse, "a dataset must be a mapping, found text"),
            (Code::Parse, "an entry of `unique_keys` must be a list of columns, found text"),
            (Code::Parse, "an entry of `unique_keys` has no columns"),
            (Code::Parse, "field `f` has no `expression`"),
            (Code::Parse, "`expression` of field `g` is empty"),
            (Code::Parse, "`expression` of field `h` must be text or a mapping, found a list"),
            (Code::Parse, "`dialects` of field `i` needs at least one entry"),
            (Code::Parse, "`dialects` of `expression` of field `j` is empty"),
            (Code::Parse, "`is_time` must be true or false, found the text `true`"),
            (Code::Parse, "`is_time` must be true or false, found the text `yes`"),
            (Code::Parse, "`access_modifier` must be public or private, found `hidden`"),
            (Code::Parse, "`metrics` must be a list, found a mapping"),
        ],
    );
    let model = &document.unwrap().models[0];
    let fields: Vec<Vec<&str>> = model
        .datasets
        .iter()
        .map(|dataset| dataset.fields.iter().map(|field| field.name.value.as_str()).collect())
        .collect();
    assert_eq!(fields, [vec![], vec!["k", "l"]]);
}

#[test]
fn a_model_needs_datasets() {
    check("semantic_model: [{«name»: m}]", &[(Code::Parse, "semantic model `m` has no `datasets`")]);
    check(
        "name: m\ndatasets: «[]»",
        &[(Code::Parse, "`datasets` of the document needs at least one dataset")],
    );
    check(
        "version: 0.1.1\nsemantic_model: «[]»",
        &[(Code::Parse, "`semantic_model` needs at least one model")],
    );
    check(
        "semantic_model: «text»",
        &[(Code::Parse, "`semantic_model` must be a list or a mapping, found text")],
    );
    check(
        "«version»: 0.1.1\ndatasets: [{name: t, source: s}]",
        &[(Code::Parse, "the document has no `name`")],
    );
}

#[test]
fn columns_of_a_relationship_come_in_pairs() {
    let marked = "name: m\ndatasets: [{name: t, source: s}]\nrelationships: [{«name»: r, from: a, to: b, from_columns: [a, b], to_columns: [c]}]\n";
    let (document, diagnostics) =
        check(marked, &[(Code::Parse, "relationship `r` joins 2 columns of `from` to 1 of `to`")]);
    assert!(document.unwrap().models[0].relationships.is_empty());
    assert_eq!(diagnostics[0].secondary.len(), 2);
    assert_eq!(diagnostics[0].path, "relationships.r");
    check(
        &relationship_with("from_columns: «[]», to_columns: [«''»]"),
        &[
            (Code::Parse, "`from_columns` of relationship `r` needs at least one column"),
            (Code::Parse, "an entry of `to_columns` is empty"),
        ],
    );
}

#[test]
fn dialects_are_checked_without_refusing_new_ones() {
    let entry = |dialect: &str| format!("{{dialect: {dialect}, expression: x}}");
    let metric = |dialects: &[String]| {
        format!(
            "name: m\ndatasets: [{{name: t, source: s}}]\nmetrics: [{{name: n, expression: {{dialects: [{}]}}}}]\n",
            dialects.join(", ")
        )
    };
    check(&metric(&["ANSI_SQL", "Ossie_SQL_2026", "osi_sql_2026", "FLINK"].map(entry)), &[]);
    let (document, diagnostics) = check(
        &metric(&["«ANSISQL»", "MDX"].map(entry)),
        &[(Code::UnknownDialect, "`ANSISQL` is not in OSI's list of dialects")],
    );
    assert_eq!(document.unwrap().models[0].metrics[0].expression.variants.len(), 2);
    assert_eq!(diagnostics[0].candidates[0], "ANSI_SQL");
    let (document, diagnostics) = check(
        &metric(&["MDX", "«mdx»"].map(entry)),
        &[(Code::Parse, "metric `n` has two expressions for the dialect `mdx`")],
    );
    assert_eq!(document.unwrap().models[0].metrics[0].expression.variants.len(), 1);
    assert_eq!(diagnostics[0].secondary[0].message, "first here");
}

#[test]
fn a_dialect_is_warned_of_once() {
    check(
        "name: m\ndatasets: [{name: t, source: s}]\nmetrics:\n- {name: a, expression: {dialects: [{dialect: «NEW», expression: x}]}}\n- {name: b, expression: {dialects: [{dialect: new, expression: x}]}}\n",
        &[(Code::UnknownDialect, "`NEW` is not in OSI's list of dialects; the document has 2 of these")],
    );
}

#[test]
fn extensions_and_remarks_have_their_kinds() {
    check(
        &dataset_with(
            "custom_extensions: [{vendor_name: V, data: «{a: 1}»}, {«data»: x}], ai_context: «[x]»",
        ),
        &[
            (
                Code::Parse,
                "`data` of an entry of `custom_extensions` of dataset `t` must be text, found a mapping",
            ),
            (Code::Parse, "an entry of `custom_extensions` of dataset `t` has no `vendor_name`"),
            (Code::Parse, "`ai_context` of dataset `t` must be text or a mapping, found a list"),
        ],
    );
    check(
        &dataset_with("ai_context: {synonyms: «x», other: [1]}"),
        &[(Code::Parse, "`synonyms` must be a list, found text")],
    );
}

#[test]
fn only_a_mark_makes_a_time_dimension() {
    let is_time = |keys: &str| read(&field_with(keys)).models[0].datasets[0].fields[0].is_time;
    assert!(!is_time("datatype: DateTimeTz"));
    assert!(is_time("datatype: Integer, dimension: {is_time: TRUE}"));
    assert!(!is_time("datatype: Date, dimension: {is_time: false}"));
    assert!(!is_time("dimension: {}"));
}

#[test]
fn errors_of_the_yaml_layer_come_with_the_rest() {
    check(
        "name: m\n«name»: n\ndatasets: [{name: t, source: s, «x»: 1}]\n",
        &[
            (Code::Parse, "the key `name` is written twice in one mapping"),
            (Code::UnknownKey, "`x` is no key of dataset `t`"),
        ],
    );
    assert_eq!(parse_document(SOURCE, "").0, None);
}

#[test]
fn paths_name_the_object() {
    let (_, diagnostics) = parse_document(
        SOURCE,
        "name: m\ndatasets: [{name: t, source: s, fields: [{name: f}, {expression: x}]}]\nmetrics: [{expression: x}]\n",
    );
    let paths: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.path.as_str()).collect();
    assert_eq!(paths, ["datasets.t.fields.f", "datasets.t.fields[1]", "metrics[0]"]);
}

#[test]
fn a_large_document_is_read_in_one_go() {
    let datasets: Vec<String> = (0..8000)
        .map(|number| format!("- name: d{number}\n  source: main.t{number}\n  fields: [{{name: ü, expression: \"a + {number}\"}}]\n"))
        .collect();
    let text = format!("name: m\ndatasets:\n{}", datasets.concat());
    let document = read(&text);
    assert_eq!(document.models[0].datasets.len(), 8000);
    let last = &document.models[0].datasets[7999].fields[0].expression.variants[0].text;
    let at = last.verbatim_at.unwrap() as usize;
    assert_eq!(&text[at..at + last.value.len()], "a + 7999");
}

/// A small generator of numbers, so that the mutations are the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit).unwrap()).unwrap()
    }
}

#[test]
fn damaged_documents_never_panic_and_their_places_are_in_the_text() {
    const INSERTED: &[u8] = b" \n\t:-[]{},'\"&*!|>#%@\\~?x0\xC3\xA4\r";
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let mut read = 0;
    for _ in 0..5000 {
        let mut bytes = ORDERS.as_bytes().to_vec();
        for _ in 0..=numbers.below(6) {
            let at = numbers.below(bytes.len());
            match numbers.below(3) {
                0 => bytes.insert(at, INSERTED[numbers.below(INSERTED.len())]),
                1 => drop(bytes.drain(at..(at + 1 + numbers.below(12)).min(bytes.len()))),
                _ => drop(bytes.remove(at)),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        let (document, diagnostics) = parse_document(SOURCE, &text);
        read += usize::from(document.is_some());
        for label in
            diagnostics.iter().flat_map(|diagnostic| diagnostic.primary.iter().chain(&diagnostic.secondary))
        {
            assert!(text.get(label.span.start as usize..label.span.end as usize).is_some(), "{text}");
        }
    }
    // The mutations are gentle enough that a good part is still readable.
    assert!((1000..4900).contains(&read), "{read}");
}
