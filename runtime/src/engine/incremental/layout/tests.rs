//! Tests of layouts of plans compiled from text.

use super::super::fixture::Case;
use super::*;

fn columns(columns: &[StoredColumn]) -> Vec<(&str, DataType)> {
    columns.iter().map(|column| (column.name.as_str(), column.data_type)).collect()
}

#[test]
fn state_lies_in_hidden_columns_by_kind_of_aggregate() {
    let case = Case::of(
        r#"{"dimensions": ["sales.product"],
            "measures": ["revenue", "orders", "average", "middle", "high", "latest", "mass"]}"#,
    );
    let money = DataType::Decimal { precision: 10, scale: 2 };
    let sum = DataType::Decimal { precision: 38, scale: 2 };
    assert_eq!(columns(&case.layout.dimensions), [("product", DataType::String)]);
    assert_eq!(case.layout.measures.len(), 7);
    assert_eq!(
        columns(&case.layout.hidden),
        [
            ("__rows_1", DataType::Int64),
            ("__sum_1", sum),
            ("__n_1", DataType::Int64),
            ("__n_2", DataType::Int64),
            ("__n_3", DataType::Int64),
            ("__v_4", DataType::Float64),
            ("__v_5", money),
            ("__v_6", DataType::Float64),
            ("__rows_2", DataType::Int64),
            ("__v_7", money),
            ("__by_7", DataType::Date),
        ]
    );
    assert_eq!(case.layout.maintenance, Maintenance::Incremental);
}

#[test]
fn one_group_node_has_one_number_of_rows() {
    let case = Case::of(r#"{"dimensions": ["regions.name", "customers.tier"]}"#);
    assert_eq!(columns(&case.layout.hidden), [("__rows", DataType::Int64)]);
    assert_eq!(case.layout.dimensions.len(), 2);
    assert!(case.layout.measures.is_empty());
}
