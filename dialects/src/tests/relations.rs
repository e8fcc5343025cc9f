//! Relations built by hand, as `relate` would make them, and the short builders that make them readable.

use unisono_compiler::data_type::{DataType, Exactness};
use unisono_compiler::expr::{
    Aggregate, Expr, ExprKind, Frame, FrameBound, FrameMode, Literal, OrderKey, Window,
};
use unisono_compiler::function::{AggregateFunction, Function, Part, Ranking, Scalar, Unit, WindowFunction};
use unisono_compiler::ids::{DatasetId, Id};
use unisono_compiler::relation::{
    Body, ColumnRef, Cte, Grouping, Input, Item, Join, JoinKind, Names, RelExpr, Relation, Select, Source,
};

pub(crate) const INT: DataType = DataType::Int32;
pub(crate) const BIG: DataType = DataType::Int64;
pub(crate) const TEXT: DataType = DataType::String;
pub(crate) const DOUBLE: DataType = DataType::Float64;
pub(crate) const DATE: DataType = DataType::Date;
pub(crate) const TIMESTAMP: DataType = DataType::Timestamp;
pub(crate) const BOOLEAN: DataType = DataType::Boolean;

pub(crate) fn decimal(precision: u8, scale: u8) -> DataType {
    DataType::Decimal { precision, scale }
}

fn node(kind: ExprKind<ColumnRef>, data_type: DataType) -> RelExpr {
    Expr::new(kind, data_type, Exactness::Exact)
}

pub(crate) fn column(alias: &str, name: &str, data_type: DataType) -> RelExpr {
    let reference = ColumnRef { alias: Some(alias.to_string()), column: name.to_string() };
    node(ExprKind::Reference(reference), data_type)
}

// Columns of a table `t`, by the first letter of their types.

pub(crate) fn i() -> RelExpr {
    column("t", "i", INT)
}

pub(crate) fn b() -> RelExpr {
    column("t", "b", BIG)
}

pub(crate) fn d() -> RelExpr {
    column("t", "d", decimal(10, 2))
}

pub(crate) fn f() -> RelExpr {
    column("t", "f", DOUBLE)
}

pub(crate) fn s() -> RelExpr {
    column("t", "s", TEXT)
}

pub(crate) fn output(name: &str, data_type: DataType) -> RelExpr {
    node(ExprKind::Reference(ColumnRef { alias: None, column: name.to_string() }), data_type)
}

pub(crate) fn integer(digits: &str) -> RelExpr {
    node(ExprKind::Literal(Literal::Integer(digits.to_string())), BIG)
}

pub(crate) fn exact(digits: &str, data_type: DataType) -> RelExpr {
    node(ExprKind::Literal(Literal::Decimal(digits.to_string())), data_type)
}

pub(crate) fn text(text: &str) -> RelExpr {
    node(ExprKind::Literal(Literal::String(text.to_string())), TEXT)
}

pub(crate) fn literal(literal: Literal, data_type: DataType) -> RelExpr {
    node(ExprKind::Literal(literal), data_type)
}

pub(crate) fn scalar(scalar: Scalar, arguments: Vec<RelExpr>, data_type: DataType) -> RelExpr {
    function(Function::Scalar(scalar), arguments, data_type)
}

pub(crate) fn function(function: Function, arguments: Vec<RelExpr>, data_type: DataType) -> RelExpr {
    node(ExprKind::Call { function, arguments }, data_type)
}

pub(crate) fn cast(operand: RelExpr, data_type: DataType) -> RelExpr {
    node(ExprKind::Cast { operand }, data_type)
}

pub(crate) fn case(condition: RelExpr, value: RelExpr, otherwise: Option<RelExpr>) -> RelExpr {
    let data_type = value.data_type;
    node(ExprKind::Case { branches: vec![(condition, value)], otherwise }, data_type)
}

pub(crate) fn aggregate(
    function: AggregateFunction,
    arguments: Vec<RelExpr>,
    data_type: DataType,
) -> RelExpr {
    node(
        ExprKind::Aggregate(Aggregate { function, arguments, distinct: false, order_by: Vec::new() }),
        data_type,
    )
}

pub(crate) fn distinct(function: AggregateFunction, arguments: Vec<RelExpr>, data_type: DataType) -> RelExpr {
    node(
        ExprKind::Aggregate(Aggregate { function, arguments, distinct: true, order_by: Vec::new() }),
        data_type,
    )
}

pub(crate) fn ascending(expr: RelExpr) -> OrderKey<ColumnRef> {
    OrderKey { expr, descending: false, nulls_first: false }
}

pub(crate) fn descending(expr: RelExpr) -> OrderKey<ColumnRef> {
    OrderKey { expr, descending: true, nulls_first: true }
}

pub(crate) fn window(
    function: WindowFunction,
    arguments: Vec<RelExpr>,
    partition_by: Vec<RelExpr>,
    order_by: Vec<OrderKey<ColumnRef>>,
    frame: Option<Frame>,
    data_type: DataType,
) -> RelExpr {
    node(
        ExprKind::Window(Box::new(Window {
            function,
            arguments,
            ignore_nulls: false,
            partition_by,
            order_by,
            frame,
        })),
        data_type,
    )
}

pub(crate) const RUNNING: Frame =
    Frame { mode: FrameMode::Rows, start: FrameBound::UnboundedPreceding, end: FrameBound::CurrentRow };

pub(crate) fn item(name: &str, expr: RelExpr) -> Item {
    Item { name: name.to_string(), expr }
}

pub(crate) fn select(items: Vec<Item>, from: Input) -> Select {
    Select::plain(items, Some(from))
}

pub(crate) fn table(dataset: usize, alias: &str) -> Input {
    Input { source: Source::Dataset(DatasetId::from_index(dataset)), alias: alias.to_string() }
}

pub(crate) fn cte_input(name: &str) -> Input {
    Input::cte(name)
}

pub(crate) fn join(kind: JoinKind, right: Input, on: Vec<(RelExpr, RelExpr)>, null_safe: bool) -> Join {
    Join { kind, right, on, null_safe }
}

pub(crate) fn cte(name: &str, comment: &str, select: Select) -> Cte {
    Cte { name: name.to_string(), comment: comment.to_string(), body: Body::Select(select) }
}

pub(crate) fn relation(ctes: Vec<Cte>, body: Select) -> Relation {
    let mut names = Names::default();
    for cte in &ctes {
        names.take(&cte.name);
    }
    Relation { ctes, body, order_by: Vec::new(), limit: None, names }
}

/// A relation of one expression over the table of all types.
pub(crate) fn one(expr: RelExpr) -> Relation {
    relation(Vec::new(), select(vec![item("answer", expr)], table(2, "t")))
}

/// Revenue by region: rows with what they reach, cast for the sum, grouped, ordered, limited.
pub(crate) fn revenue_by_region() -> Relation {
    let rows = Select {
        joins: vec![join(
            JoinKind::Left,
            table(1, "customers"),
            vec![(column("orders", "customer_id", BIG), column("customers", "id", BIG))],
            false,
        )],
        filter: vec![scalar(
            Scalar::Equal,
            vec![column("orders", "status", TEXT), text("completed")],
            BOOLEAN,
        )],
        ..select(
            vec![
                item("region", column("customers", "region", TEXT)),
                item("amount", cast(column("orders", "amount", decimal(10, 2)), decimal(38, 2))),
                item("quantity", cast(column("orders", "quantity", BIG), decimal(38, 0))),
            ],
            table(0, "orders"),
        )
    };
    let region = column("orders_rows", "region", TEXT);
    let groups = Select {
        group_by: Grouping::Keys(vec![region.clone()]),
        ..select(
            vec![
                item("region", region),
                item(
                    "revenue",
                    aggregate(
                        AggregateFunction::Sum,
                        vec![column("orders_rows", "amount", decimal(38, 2))],
                        decimal(38, 2),
                    ),
                ),
                item(
                    "quantity",
                    aggregate(
                        AggregateFunction::Sum,
                        vec![column("orders_rows", "quantity", decimal(38, 0))],
                        decimal(38, 0),
                    ),
                ),
                item("orders", aggregate(AggregateFunction::CountRows, Vec::new(), BIG)),
            ],
            cte_input("orders_rows"),
        )
    };
    let body = select(
        vec![
            item("region", column("orders_groups", "region", TEXT)),
            item("revenue", column("orders_groups", "revenue", decimal(38, 2))),
            item("quantity", column("orders_groups", "quantity", decimal(38, 0))),
            item(
                "average",
                scalar(
                    Scalar::Divide,
                    vec![
                        column("orders_groups", "revenue", decimal(38, 2)),
                        column("orders_groups", "orders", BIG),
                    ],
                    DOUBLE,
                ),
            ),
        ],
        cte_input("orders_groups"),
    );
    Relation {
        order_by: vec![descending(output("revenue", decimal(38, 2))), ascending(output("region", TEXT))],
        limit: Some(10),
        ..relation(
            vec![
                cte("orders_rows", "rows of orders with what they reach", rows),
                cte("orders_groups", "orders aggregated by region", groups),
            ],
            body,
        )
    }
}

/// Two facts side by side, a composed measure over both, NULL and 0 for what is missing.
pub(crate) fn stitched() -> Relation {
    let branch = |table_alias: &str, dataset: usize, measure: &str| {
        let region = column(table_alias, "region", TEXT);
        Select {
            group_by: Grouping::Keys(vec![region.clone()]),
            ..select(
                vec![
                    item("region", region),
                    item(measure, aggregate(AggregateFunction::CountRows, Vec::new(), BIG)),
                ],
                table(dataset, table_alias),
            )
        }
    };
    let left = column("orders_groups", "region", TEXT);
    let right = column("visits_groups", "region", TEXT);
    let zero = |expr: RelExpr| scalar(Scalar::Coalesce, vec![expr, integer("0")], BIG);
    let body = Select {
        joins: vec![join(
            JoinKind::Full,
            cte_input("visits_groups"),
            vec![(left.clone(), right.clone())],
            true,
        )],
        ..select(
            vec![
                item("region", scalar(Scalar::Coalesce, vec![left, right], TEXT)),
                item("orders", zero(column("orders_groups", "orders", BIG))),
                item("visits", zero(column("visits_groups", "visits", BIG))),
            ],
            cte_input("orders_groups"),
        )
    };
    relation(
        vec![
            cte("orders_groups", "orders aggregated by region", branch("orders", 0, "orders")),
            cte("visits_groups", "visits aggregated by region", branch("visits", 1, "visits")),
        ],
        body,
    )
}

/// One row for the whole input.
pub(crate) fn total() -> Relation {
    let body = Select {
        group_by: Grouping::Global,
        filter: vec![scalar(Scalar::Greater, vec![column("t", "i", INT), integer("3")], BOOLEAN)],
        ..select(
            vec![
                item("rows", aggregate(AggregateFunction::CountRows, Vec::new(), BIG)),
                item("largest", aggregate(AggregateFunction::Max, vec![column("t", "i", INT)], INT)),
            ],
            table(2, "t"),
        )
    };
    relation(Vec::new(), body)
}

/// The first row of each group, as MAX_BY is planned.
pub(crate) fn picked() -> Relation {
    let rank = window(
        WindowFunction::Ranking(Ranking::RowNumber),
        Vec::new(),
        vec![column("t", "s", TEXT)],
        vec![
            OrderKey { expr: column("t", "ts", TIMESTAMP), descending: true, nulls_first: false },
            ascending(column("t", "i", INT)),
        ],
        None,
        BIG,
    );
    let ranked = Select {
        filter: vec![scalar(Scalar::IsNotNull, vec![column("t", "ts", TIMESTAMP)], BOOLEAN)],
        ..select(
            vec![
                item("s", column("t", "s", TEXT)),
                item("i", column("t", "i", INT)),
                item("pick_rank", rank),
            ],
            table(2, "t"),
        )
    };
    let body = Select {
        filter: vec![scalar(
            Scalar::Equal,
            vec![column("t_ranked", "pick_rank", BIG), integer("1")],
            BOOLEAN,
        )],
        ..select(
            vec![item("s", column("t_ranked", "s", TEXT)), item("i", column("t_ranked", "i", INT))],
            cte_input("t_ranked"),
        )
    };
    relation(vec![cte("t_ranked", "rows of t, ranked from the greatest ts", ranked)], body)
}

/// A running total and the value before.
pub(crate) fn running() -> Relation {
    let order = vec![ascending(column("t", "i", INT))];
    let partition = vec![column("t", "s", TEXT)];
    let sum = window(
        WindowFunction::Aggregate(AggregateFunction::Sum),
        vec![column("t", "d", decimal(10, 2))],
        partition.clone(),
        order.clone(),
        Some(RUNNING),
        decimal(38, 2),
    );
    let before = window(
        WindowFunction::Ranking(Ranking::Lag),
        vec![column("t", "i", INT), integer("1")],
        partition,
        order,
        None,
        INT,
    );
    relation(
        Vec::new(),
        select(
            vec![item("i", column("t", "i", INT)), item("total", sum), item("previous", before)],
            table(2, "t"),
        ),
    )
}

/// Numbers, conditions and texts of one row.
pub(crate) fn row_values() -> Relation {
    let (small, big) = (column("t", "i", INT), column("t", "b", BIG));
    let (money, name) = (column("t", "d", decimal(10, 2)), column("t", "s", TEXT));
    let real = column("t", "f", DOUBLE);
    relation(
        Vec::new(),
        select(
            vec![
                item("narrow", scalar(Scalar::Multiply, vec![small.clone(), small.clone()], BIG)),
                item("wide", scalar(Scalar::Add, vec![big.clone(), integer("1")], BIG)),
                item(
                    "chained",
                    scalar(
                        Scalar::Subtract,
                        vec![scalar(Scalar::Multiply, vec![big.clone(), big.clone()], BIG), big.clone()],
                        BIG,
                    ),
                ),
                item("money", scalar(Scalar::Multiply, vec![money.clone(), small.clone()], decimal(20, 2))),
                item(
                    "tax",
                    scalar(
                        Scalar::Multiply,
                        vec![money.clone(), exact("0.19", decimal(2, 2))],
                        decimal(12, 4),
                    ),
                ),
                item("share", scalar(Scalar::Divide, vec![money.clone(), big.clone()], DOUBLE)),
                item("rest", scalar(Scalar::Modulo, vec![big.clone(), integer("7")], BIG)),
                item("root", scalar(Scalar::Sqrt, vec![real], DOUBLE)),
                item("label", scalar(Scalar::Concat, vec![name.clone(), text("it's \\ \"here\"")], TEXT)),
                item(
                    "flag",
                    case(
                        scalar(Scalar::IsDistinctFrom, vec![name, text("x")], BOOLEAN),
                        integer("1"),
                        Some(integer("0")),
                    ),
                ),
                item("rounded", cast(money, BIG)),
            ],
            table(2, "t"),
        ),
    )
}

/// Dates cut, taken apart, moved and measured.
pub(crate) fn dates() -> Relation {
    let (day, ts) = (column("t", "day", DATE), column("t", "ts", TIMESTAMP));
    let start = literal(Literal::Date("2024-01-01".to_string()), DATE);
    relation(
        Vec::new(),
        select(
            vec![
                item("start", function(Function::DateTrunc(Unit::Month), vec![day.clone()], DATE)),
                item("monday", function(Function::DateTrunc(Unit::Week), vec![ts.clone()], TIMESTAMP)),
                item("weekday", function(Function::Extract(Part::DayOfWeek), vec![day.clone()], BIG)),
                item("calendar", function(Function::Extract(Part::Year), vec![ts.clone()], BIG)),
                item(
                    "later",
                    function(Function::DateAdd(Unit::Month), vec![integer("1"), day.clone()], DATE),
                ),
                item("week_count", function(Function::DateDiff(Unit::Week), vec![start, day.clone()], BIG)),
                item("hour_count", function(Function::DateDiff(Unit::Hour), vec![ts.clone(), ts], BIG)),
                item("month_count", function(Function::DateDiff(Unit::Month), vec![day.clone(), day], BIG)),
            ],
            table(2, "t"),
        ),
    )
}

/// Aggregates of every kind over plain columns.
pub(crate) fn aggregates() -> Relation {
    let (small, real, name) = (column("t", "i", INT), column("t", "f", DOUBLE), column("t", "s", TEXT));
    let key = column("t", "day", DATE);
    relation(
        Vec::new(),
        Select {
            group_by: Grouping::Keys(vec![key.clone()]),
            ..select(
                vec![
                    item("day", key),
                    item("n", aggregate(AggregateFunction::Count, vec![small.clone()], BIG)),
                    item("kinds", distinct(AggregateFunction::Count, vec![name.clone()], BIG)),
                    item("least", aggregate(AggregateFunction::Min, vec![name], TEXT)),
                    item("spread", aggregate(AggregateFunction::StddevSamp, vec![real.clone()], DOUBLE)),
                    item("middle", aggregate(AggregateFunction::Median, vec![real.clone()], DOUBLE)),
                    item(
                        "lower_part",
                        aggregate(
                            AggregateFunction::PercentileCont,
                            vec![real.clone(), exact("0.25", decimal(2, 2))],
                            DOUBLE,
                        ),
                    ),
                    item("volume", aggregate(AggregateFunction::Sum, vec![real], DOUBLE)),
                ],
                table(2, "t"),
            )
        },
    )
}
