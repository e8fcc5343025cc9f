//! Tests of steps: what is written, and what is read for it. All expected values are worked out by hand.

mod random;

use super::super::fixture::{NULL, Pipeline, Row, cents, int, sale, text};
use super::*;

fn customer(id: i64, region: Value, tier: &str) -> Row {
    vec![int(id), region, text(tier)]
}

fn region(id: i64, name: &str) -> Row {
    vec![int(id), text(name)]
}

fn sales() -> Vec<Row> {
    vec![
        sale(1, int(10), "a", cents(100), 1),
        sale(2, int(10), "b", cents(250), 2),
        sale(3, int(20), "a", cents(400), 3),
        sale(4, int(99), "-", cents(700), 4),
        sale(5, NULL, "a", NULL, 5),
    ]
}

fn customers() -> Vec<Row> {
    vec![customer(10, int(1), "gold"), customer(20, int(2), "gold"), customer(30, int(1), "iron")]
}

fn regions() -> Vec<Row> {
    vec![region(1, "north"), region(2, "south")]
}

const BY_PRODUCT: &str = r#"{"dimensions": ["sales.product"], "measures": ["revenue", "orders"]}"#;

#[test]
fn rows_come_change_and_go() {
    let mut pipeline = Pipeline::of(BY_PRODUCT, &[("sales", &sales())]);
    assert!(pipeline.case.is_incremental());
    assert_eq!(
        pipeline.visible(),
        [
            vec![NULL, cents(700), int(1)],
            vec![text("a"), cents(500), int(3)],
            vec![text("b"), cents(250), int(1)],
        ]
    );
    pipeline.shop.insert("sales", &[sale(6, NULL, "c", cents(30), 6)]);
    let update = pipeline.step();
    assert_eq!(update.upserts.keys().collect::<Vec<_>>(), [&vec![text("c")]]);
    assert_eq!((update.deletes.len(), pipeline.rollup.asked, pipeline.shop.log.len()), (0, 1, 0));

    // The row moves from `a` to `b`, which both change; `c` and NULL are left alone.
    pipeline.shop.update("sales", sale(1, int(10), "b", cents(100), 1));
    let update = pipeline.step();
    assert_eq!(update.upserts.keys().collect::<Vec<_>>(), [&vec![text("a")], &vec![text("b")]]);
    assert_eq!(pipeline.rollup.rows[&vec![text("a")]][1..3], [cents(400), int(2)]);
    assert_eq!(pipeline.rollup.rows[&vec![text("b")]][1..3], [cents(350), int(2)]);

    // The last row of NULL goes, and its group with it.
    pipeline.shop.delete("sales", &int(4));
    let update = pipeline.step();
    assert_eq!((update.upserts.len(), update.deletes), (0, BTreeSet::from([vec![NULL]])));

    // What remains of `a` has no amount: its sum is NULL, not 0.
    pipeline.shop.delete("sales", &int(3));
    pipeline.step();
    assert_eq!(pipeline.rollup.rows[&vec![text("a")]][1..3], [NULL, int(1)]);
    pipeline.must_be_right();
}

#[test]
fn a_step_without_changes_reads_nothing() {
    let mut pipeline = Pipeline::of(BY_PRODUCT, &[("sales", &sales())]);
    assert_eq!(pipeline.step(), Update::default());
    assert_eq!((pipeline.rollup.asked, pipeline.shop.log.len()), (0, 0));
    // A change outside of what is asked for reads the change alone.
    pipeline.shop.update("sales", sale(3, int(10), "a", cents(400), 3));
    assert_eq!(pipeline.step(), Update::default());
    assert_eq!((pipeline.rollup.asked, pipeline.shop.log.len()), (0, 0));
    pipeline.shop.insert("regions", &regions());
    assert_eq!(pipeline.step(), Update::default());
}

#[test]
fn a_change_that_cannot_be_told_builds_anew_and_writes_what_differs() {
    let mut pipeline = Pipeline::of(BY_PRODUCT, &[("sales", &sales())]);
    pipeline.shop.update("sales", sale(2, NULL, "b", cents(1), 2));
    pipeline.shop.unknown.insert("sales".to_string());
    let update = pipeline.step();
    assert_eq!(update.upserts.keys().collect::<Vec<_>>(), [&vec![text("b")]]);
    assert_eq!(pipeline.shop.log, ["sales New 5 of 5 by 0 columns"]);
    pipeline.must_be_right();
}

#[test]
fn dimensions_move_groups_over_two_levels() {
    let request = r#"{"dimensions": ["regions.name"], "measures": ["revenue"]}"#;
    let tables: [(&str, &[Row]); 3] =
        [("sales", &sales()), ("customers", &customers()), ("regions", &regions())];
    let mut pipeline = Pipeline::of(request, &tables);
    // Orphans and NULL keys have no region.
    let expected = [vec![NULL, cents(700)], vec![text("north"), cents(350)], vec![text("south"), cents(400)]];
    assert_eq!(pipeline.visible(), expected);

    // A region is renamed: the customers that lead there are looked up, then their sales.
    pipeline.shop.update("regions", region(1, "east"));
    pipeline.step();
    let expected = [vec![NULL, cents(700)], vec![text("east"), cents(350)], vec![text("south"), cents(400)]];
    assert_eq!(pipeline.visible(), expected);
    assert_eq!(
        pipeline.shop.log[..2],
        ["customers Old 2 of 3 by 1 columns", "sales Old 2 of 5 by 1 columns"]
    );

    // A customer moves, the missing one appears, and one more sale of the moved one comes, in one step.
    pipeline.shop.update("customers", customer(10, int(2), "gold"));
    pipeline.shop.insert("customers", &[customer(99, int(1), "iron")]);
    pipeline.shop.insert("sales", &[sale(6, int(10), "a", cents(5), 6)]);
    pipeline.step();
    let expected = [vec![NULL, NULL], vec![text("east"), cents(700)], vec![text("south"), cents(755)]];
    assert_eq!(pipeline.visible(), expected);

    // A region goes.
    pipeline.shop.delete("regions", &int(2));
    pipeline.step();
    assert_eq!(pipeline.visible(), [vec![NULL, cents(755)], vec![text("east"), cents(700)]]);
    pipeline.must_be_right();
}

#[test]
fn a_home_row_beside_two_changes_moves_once() {
    let request = r#"{"dimensions": ["customers.tier", "products.kind"], "measures": ["revenue"]}"#;
    let product = |name: &str, kind: &str| vec![text(name), text(kind)];
    let tables: [(&str, &[Row]); 3] = [
        ("sales", &sales()[..3]),
        ("customers", &customers()),
        ("products", &[product("a", "x"), product("b", "x")]),
    ];
    let mut pipeline = Pipeline::of(request, &tables);
    assert_eq!(pipeline.visible(), [[text("gold"), text("x"), cents(750)]]);
    pipeline.shop.update("customers", customer(10, int(1), "iron"));
    pipeline.shop.update("products", product("a", "y"));
    pipeline.step();
    let group = |tier, kind, sum| vec![text(tier), text(kind), cents(sum)];
    assert_eq!(
        pipeline.visible(),
        [group("gold", "y", 400), group("iron", "x", 250), group("iron", "y", 100)]
    );
    pipeline.must_be_right();
}

#[test]
fn a_far_field_of_two_datasets_follows_both() {
    let request = r#"{"dimensions": ["customers.place"], "measures": ["orders"]}"#;
    let tables: [(&str, &[Row]); 3] =
        [("sales", &sales()), ("customers", &customers()), ("regions", &regions())];
    let mut pipeline = Pipeline::of(request, &tables);
    assert!(pipeline.case.is_incremental());
    let expected = [vec![NULL, int(2)], vec![text("goldnorth"), int(2)], vec![text("goldsouth"), int(1)]];
    assert_eq!(pipeline.visible(), expected);
    pipeline.shop.update("regions", region(2, "x"));
    pipeline.step();
    assert_eq!(pipeline.visible()[2], [text("goldx"), int(1)]);
    pipeline.must_be_right();
}

#[test]
fn a_missing_row_has_no_field_whatever_its_expression() {
    let request = r#"{"dimensions": ["customers.label"], "measures": ["orders"]}"#;
    let unnamed = vec![int(20), NULL, NULL];
    let tables: [(&str, &[Row]); 2] = [("sales", &sales()), ("customers", &[unnamed])];
    let pipeline = Pipeline::of(request, &tables);
    assert_eq!(pipeline.visible(), [vec![NULL, int(4)], vec![text("none"), int(1)]]);
}

#[test]
fn a_key_that_stands_twice_doubles_as_a_join_does() {
    let request = r#"{"dimensions": ["customers.tier"], "measures": ["revenue"]}"#;
    let twice = [customer(10, NULL, "gold"), customer(10, NULL, "iron")];
    let mut pipeline = Pipeline::of(request, &[("sales", &sales()), ("customers", &twice)]);
    let both = [vec![NULL, cents(1100)], vec![text("gold"), cents(350)], vec![text("iron"), cents(350)]];
    assert_eq!(pipeline.visible(), both);
    pipeline.shop.rows_of("customers").pop();
    pipeline.step();
    assert_eq!(pipeline.visible(), both[..2]);
    pipeline.shop.insert("customers", &twice);
    pipeline.step();
    assert_eq!(pipeline.visible()[1], [text("gold"), cents(700)]);
    pipeline.must_be_right();
}

#[test]
fn one_row_without_dimensions_over_nothing() {
    let request = r#"{"measures": ["orders", "revenue", "low", "middle", "latest", "average"]}"#;
    let mut pipeline = Pipeline::of(request, &[]);
    assert!(pipeline.case.is_incremental());
    assert_eq!(pipeline.visible(), [vec![int(0), NULL, NULL, NULL, NULL, NULL]]);
    pipeline.shop.insert("sales", &sales());
    pipeline.step();
    let expected =
        vec![int(5), cents(1450), cents(100), Value::Float(3.25), cents(700), Value::Float(14.5 / 4.0)];
    // The greatest day is the fifth, whose amount is NULL: the winning row's value is the answer.
    let mut nothing_on_the_last_day = expected.clone();
    nothing_on_the_last_day[4] = NULL;
    assert_eq!(pipeline.visible(), [nothing_on_the_last_day]);
    pipeline.shop.delete("sales", &int(5));
    pipeline.step();
    assert_eq!(pipeline.visible()[0][1..], expected[1..]);
    for id in 1..=4 {
        pipeline.shop.delete("sales", &int(id));
    }
    pipeline.step();
    assert_eq!(pipeline.visible(), [vec![int(0), NULL, NULL, NULL, NULL, NULL]]);
    pipeline.must_be_right();
}

#[test]
fn touched_groups_are_read_again_by_their_own_columns() {
    let request = r#"{"dimensions": ["sales.product"], "measures": ["middle", "buyers"]}"#;
    let mut pipeline = Pipeline::of(request, &[("sales", &sales())]);
    assert_eq!(pipeline.visible()[1], [text("a"), Value::Float(2.5), int(2)]);
    pipeline.shop.insert("sales", &[sale(6, int(30), "a", cents(300), 6), sale(7, NULL, "-", cents(100), 7)]);
    pipeline.step();
    // Groups NULL and `a` have two and four rows.
    assert_eq!(pipeline.shop.log, ["sales New 6 of 7 by 1 columns"]);
    assert_eq!(
        pipeline.visible(),
        [
            vec![NULL, Value::Float(4.0), int(1)],
            vec![text("a"), Value::Float(3.0), int(3)],
            vec![text("b"), Value::Float(2.5), int(1)],
        ]
    );
    pipeline.must_be_right();
}

#[test]
fn extremes_are_read_again_only_when_the_best_goes() {
    let request = r#"{"dimensions": ["sales.product"], "measures": ["low", "high", "latest", "mass"]}"#;
    let mut pipeline = Pipeline::of(request, &[("sales", &sales())]);
    pipeline.shop.insert("sales", &[sale(6, NULL, "b", cents(900), 6), sale(7, NULL, "b", cents(300), 1)]);
    pipeline.step();
    assert!(pipeline.shop.log.is_empty(), "{:?}", pipeline.shop.log);
    let b =
        |low, high, latest, mass| vec![text("b"), cents(low), cents(high), cents(latest), Value::Float(mass)];
    assert_eq!(pipeline.visible()[2], b(250, 900, 900, 4.5));
    pipeline.shop.delete("sales", &int(6));
    pipeline.step();
    assert_eq!(pipeline.shop.log, ["sales New 2 of 6 by 1 columns"]);
    assert_eq!(pipeline.visible()[2], b(250, 300, 250, 1.5));
    pipeline.must_be_right();
}

#[test]
fn a_worse_value_goes_unread() {
    let request = r#"{"dimensions": ["sales.product"], "measures": ["high", "latest"]}"#;
    let mut pipeline = Pipeline::of(request, &[("sales", &sales())]);
    pipeline.shop.delete("sales", &int(1));
    pipeline.step();
    assert!(pipeline.shop.log.is_empty(), "{:?}", pipeline.shop.log);
    assert_eq!(pipeline.visible()[1], [text("a"), cents(400), NULL]);
    pipeline.must_be_right();
    pipeline.shop.delete("sales", &int(3));
    pipeline.step();
    assert_eq!(pipeline.shop.log, ["sales New 1 of 3 by 1 columns"]);
    assert_eq!(pipeline.visible()[1], [text("a"), NULL, NULL]);
}

#[test]
fn two_homes_are_stitched() {
    let request =
        r#"{"dimensions": ["customers.tier"], "measures": ["revenue", "refunds", "returned", "net"]}"#;
    let back = vec![int(1), int(30), cents(40)];
    let tables: [(&str, &[Row]); 3] =
        [("sales", &sales()), ("customers", &customers()), ("returns", &[back])];
    let mut pipeline = Pipeline::of(request, &tables);
    assert!(pipeline.case.is_incremental());
    let names: Vec<&str> = pipeline.case.layout.hidden.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["__rows_1", "__sum_1", "__n_1", "__rows_2", "__sum_2", "__n_2", "__n_3"]);
    assert_eq!(
        pipeline.visible(),
        [
            vec![NULL, cents(700), NULL, int(0), NULL],
            vec![text("gold"), cents(750), NULL, int(0), NULL],
            vec![text("iron"), NULL, cents(40), int(1), NULL],
        ]
    );
    // One customer's tier feeds both homes.
    pipeline.shop.update("customers", customer(30, int(1), "gold"));
    pipeline.step();
    assert_eq!(pipeline.visible()[1..], [vec![text("gold"), cents(750), cents(40), int(1), cents(710)]]);
    pipeline.must_be_right();
}

#[test]
fn a_hidden_group_is_not_taken_for_an_empty_one() {
    let request = r#"{"dimensions": ["sales.product"], "measures": ["revenue"], "having": ["revenue > 4"]}"#;
    let mut pipeline = Pipeline::of(request, &[("sales", &sales())]);
    assert_eq!(pipeline.visible(), [vec![NULL, cents(700)], vec![text("a"), cents(500)]]);
    pipeline.shop.insert("sales", &[sale(6, NULL, "b", cents(151), 6)]);
    pipeline.step();
    assert_eq!(pipeline.visible()[2], [text("b"), cents(401)]);
    pipeline.shop.delete("sales", &int(2));
    let update = pipeline.step();
    assert_eq!(update.deletes, BTreeSet::from([vec![text("b")]]));
    pipeline.must_be_right();
}

#[test]
fn predicates_follow_far_rows() {
    let request =
        r#"{"dimensions": ["sales.product"], "measures": ["revenue"], "where": ["regions.name = 'north'"]}"#;
    let tables: [(&str, &[Row]); 3] =
        [("sales", &sales()), ("customers", &customers()), ("regions", &regions())];
    let mut pipeline = Pipeline::of(request, &tables);
    assert_eq!(pipeline.visible(), [vec![text("a"), cents(100)], vec![text("b"), cents(250)]]);
    pipeline.shop.update("regions", region(2, "north"));
    pipeline.step();
    assert_eq!(pipeline.visible(), [vec![text("a"), cents(500)], vec![text("b"), cents(250)]]);
    pipeline.must_be_right();
}

#[test]
fn what_fans_out_is_computed_in_full() {
    let request = r#"{"dimensions": ["tags.tag"], "measures": ["revenue"]}"#;
    let tag = |sale: i64, tag: &str| vec![int(sale), text(tag)];
    let tags = [tag(1, "x"), tag(1, "y"), tag(2, "x")];
    let mut pipeline = Pipeline::of(request, &[("sales", &sales()), ("tags", &tags)]);
    let why = "a far side has many rows for one home row".to_string();
    let distinct = "rows are made distinct or grouped before they are grouped".to_string();
    assert!(
        [Maintenance::Full { why }, Maintenance::Full { why: distinct }]
            .contains(&pipeline.case.layout.maintenance)
    );
    assert_eq!(
        pipeline.visible(),
        [vec![NULL, cents(1100)], vec![text("x"), cents(350)], vec![text("y"), cents(100)]]
    );
    assert_eq!(pipeline.step(), Update::default());
    assert!(pipeline.shop.log.is_empty());
    pipeline.shop.insert("tags", &[tag(4, "y")]);
    let update = pipeline.step();
    assert_eq!((update.upserts.len(), update.deletes.len()), (2, 0));
    pipeline.must_be_right();
}

#[test]
fn listed_rows_are_known_by_their_key() {
    let request = r#"{"fields": ["sales.product", "sales.id", "customers.tier"]}"#;
    let mut pipeline = Pipeline::of(request, &[("sales", &sales()[..2]), ("customers", &customers())]);
    let names: Vec<&str> =
        pipeline.case.layout.dimensions.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["id"]);
    let gold = |id, product| vec![int(id), text(product), text("gold")];
    assert_eq!(pipeline.visible(), [gold(1, "a"), gold(2, "b")]);
    pipeline.shop.delete("sales", &int(1));
    assert_eq!(pipeline.step().deletes, BTreeSet::from([vec![int(1)]]));
}

#[test]
fn a_state_of_other_sources_is_refused() {
    let mut pipeline = Pipeline::of(BY_PRODUCT, &[("sales", &sales())]);
    pipeline.rollup.rows.get_mut(&vec![text("b")]).unwrap()[3] = int(0);
    pipeline.shop.delete("sales", &int(2));
    let case = &pipeline.case;
    let refused = advance(&case.plan, &case.layout, &mut pipeline.shop, &mut pipeline.rollup, false);
    assert!(matches!(&refused, Err(Fault::Source(text)) if text.contains("build it anew")), "{refused:?}");
}

#[test]
fn an_answer_is_ordered_and_cut() {
    let request = r#"{"dimensions": ["sales.product"], "measures": ["revenue"],
        "order_by": [{"expr": "revenue", "direction": "desc"}], "limit": 2}"#;
    let mut pipeline = Pipeline::of(request, &[("sales", &sales())]);
    // The rollup keeps all groups: order and limit belong to reading.
    assert_eq!(pipeline.visible().len(), 3);
    let rows = super::super::answer(&pipeline.case.plan, &mut pipeline.shop).unwrap();
    assert_eq!(rows, [vec![NULL, cents(700)], vec![text("a"), cents(500)]]);
}
