//! What may be stored, and what not.

use vexil_change_request::validate;
use vexil_domain::*;

fn with_value(operator: Operator, value: &str) -> Constraint {
    Constraint {
        value: Some(value.to_owned()),
        ..Constraint::new("field", operator)
    }
}

fn with_values(operator: Operator, values: &[&str]) -> Constraint {
    Constraint {
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        ..Constraint::new("field", operator)
    }
}

fn accepts(constraint: &Constraint) -> bool {
    validate::constraint("", constraint).is_empty()
}

fn check_all(operator: &Operator, good: &[&str], bad: &[&str]) {
    for value in good {
        assert!(
            accepts(&with_value(operator.clone(), value)),
            "{operator} {value:?}"
        );
    }
    for value in bad {
        let problems = validate::constraint("/constraints/2", &with_value(operator.clone(), value));
        assert_eq!(problems.len(), 1, "{operator} {value:?}");
        assert_eq!(problems[0].path, "/constraints/2/value");
        assert!(
            !accepts(&Constraint::new("field", operator.clone())),
            "no value at all"
        );
    }
}

#[test]
fn numbers_are_finite_decimals() {
    let good = [" 7 ", "1e3", "05", "+5", "5.", ".5", "-0", "5\n", "-1.5E-3"];
    let bad = [
        "1_000",
        "NaN",
        "Infinity",
        "-Infinity",
        "inf",
        "0x10",
        "0b1",
        "",
        "  ",
        "abc",
        "1,5",
        "\u{feff}5",
        "5 apples",
        "--1",
        "1e400",
        "1e",
        "\u{661}",
        "1n",
        ".",
    ];
    for operator in [
        Operator::NumEq,
        Operator::NumGt,
        Operator::NumGte,
        Operator::NumLt,
        Operator::NumLte,
    ] {
        check_all(&operator, &good, &bad);
    }
}

#[test]
fn instants_are_rfc_3339_with_zone_or_time_left_out() {
    let good = [
        "2026-01-01T00:00:00Z",
        "2026-01-01T02:00:00+02:00",
        "2025-12-31T23:59:59.999Z",
        "2026-01-01T00:00:00.123456789Z",
        "2026-01-01T00:00:00",
        "2026-01-01T00:00Z",
        "2026-01-01",
    ];
    let bad = [
        "abc",
        "",
        "2026-13-01T00:00:00Z",
        "2026-01-01T25:00:00Z",
        "2026-02-30",
        "Jan 1 2026",
        "1700000000",
    ];
    for operator in [Operator::DateAfter, Operator::DateBefore] {
        check_all(&operator, &good, &bad);
    }
}

#[test]
fn versions_are_strict() {
    let good = ["1.0.0", " 1.0.0 ", "1.0.0-alpha.1", "1.0.0+build.1", "10.2.0"];
    let bad = [
        "1.0",
        "v1.0.0",
        "01.0.0",
        "1.0.0.0",
        "abc",
        "",
        "1.0.0-",
        "1.0.0-01",
        "1.0.0-alpha_1",
        "=1.0.0",
        "99999999999999999999.0.0",
        "1.0.x",
    ];
    for operator in [
        Operator::SemverEq,
        Operator::SemverGt,
        Operator::SemverGte,
        Operator::SemverLt,
        Operator::SemverLte,
    ] {
        check_all(&operator, &good, &bad);
    }
}

#[test]
fn patterns_must_compile() {
    let good = ["^a", "b$", "[0-9]+", "user-\\d+", "(?i)abc", "a|b"];
    check_all(&Operator::Regex, &good, &["(", "[", "(?=a)", "\\1", ""]);
}

#[test]
fn patterns_cannot_be_inverted() {
    let inverted = |said| Constraint {
        inverted: Some(said),
        ..with_value(Operator::Regex, "^a")
    };
    assert!(accepts(&inverted(false)));
    assert_eq!(validate::constraint("/c", &inverted(true))[0].path, "/c/inverted");
}

#[test]
fn list_operators_need_values_none_of_them_empty() {
    for operator in [
        Operator::In,
        Operator::NotIn,
        Operator::StrContains,
        Operator::StrStartsWith,
        Operator::StrEndsWith,
    ] {
        assert!(accepts(&with_values(operator.clone(), &["a", " b "])));
        assert!(!accepts(&with_values(operator.clone(), &[])));
        for empty in ["", "  "] {
            let problems = validate::constraint("/c", &with_values(operator.clone(), &["a", empty]));
            assert_eq!(problems[0].path, "/c/values/1");
        }
    }
}

#[test]
fn networks_are_addresses_with_an_optional_length() {
    assert!(accepts(&with_values(
        Operator::InCidr,
        &[
            "10.0.0.0/8",
            "192.168.1.20",
            "::1",
            "2001:db8::/32",
            "10.0.0.7/32",
            "::1/128"
        ]
    )));
    for bad in [
        "10.0.0.0/33",
        "300.1.1.1",
        "abc",
        "::1/129",
        "10.0.0.0/",
        "10.0.0.0/x",
    ] {
        assert!(!accepts(&with_values(Operator::InCidr, &[bad])), "{bad}");
    }
}

#[test]
fn an_operator_must_be_known_and_a_field_named() {
    let problems = validate::constraint("", &with_values(Operator::from_name("in"), &["a"]));
    assert_eq!(problems[0].path, "/operator");
    assert!(
        problems[0].message.contains("NOT_IN"),
        "the message lists what there is"
    );
    let problems = validate::constraint(
        "",
        &Constraint {
            context_name: String::new(),
            ..with_values(Operator::In, &["a"])
        },
    );
    assert_eq!(problems[0].path, "/contextName");
}

#[test]
fn strategies_and_segments_have_limits_of_their_own() {
    let many: Vec<String> = (0..1001).map(|number| number.to_string()).collect();
    let values = |count: usize| Constraint {
        values: many[..count].to_vec(),
        ..Constraint::new("a", Operator::In)
    };
    assert!(validate::constraints("", &[values(250)]).is_empty());
    assert_eq!(validate::constraints("", &[values(251)])[0].path, "/0/values");
    assert!(validate::constraints("", &vec![values(1); 30]).is_empty());
    assert_eq!(
        validate::constraints("/constraints", &vec![values(1); 31])[0].path,
        "/constraints"
    );
    assert!(validate::segment("name", &[values(1000)]).is_empty());
    assert_eq!(validate::segment("name", &[values(1001)])[0].path, "/constraints");
    assert_eq!(validate::segment("", &[])[0].path, "/name");
}

#[test]
fn rollouts_are_percentages() {
    let check = |kind: &str, name: &str, value: &str| {
        let parameters = [(name.to_owned(), value.to_owned())].into();
        validate::parameters("/parameters", kind, &parameters).len()
    };
    for (kind, name) in [
        ("flexibleRollout", "rollout"),
        ("gradualRolloutRandom", "percentage"),
    ] {
        for good in ["0", "100", "50", "005", "33.5", "100.0"] {
            assert_eq!(check(kind, name, good), 0, "{good}");
        }
        for bad in [
            "101",
            "-1",
            "abc",
            "",
            "100.5",
            "1.2.3",
            ".5",
            "1e1",
            " 50 ",
            "99999999999",
        ] {
            assert_eq!(check(kind, name, bad), 1, "{bad}");
        }
    }
    assert_eq!(check("custom", "rollout", "many"), 0);
}

fn variant(name: &str, weight: u32, weight_type: WeightType) -> Variant {
    Variant {
        name: name.to_owned(),
        weight,
        weight_type,
        stickiness: None,
        payload: None,
        overrides: Vec::new(),
    }
}

fn paths(variants: &[Variant]) -> Vec<String> {
    let problems = validate::variants("/variants", variants);
    problems.into_iter().map(|problem| problem.path).collect()
}

#[test]
fn variants_need_one_that_varies_and_fixed_weights_within_the_whole() {
    use WeightType::{Fix, Variable};
    assert!(paths(&[]).is_empty());
    assert!(paths(&[variant("a", 0, Variable), variant("b", 1000, Fix)]).is_empty());
    assert_eq!(
        paths(&[variant("a", 500, Fix), variant("b", 500, Fix)]),
        ["/variants"]
    );
    let over = [
        variant("a", 0, Variable),
        variant("b", 600, Fix),
        variant("c", 500, Fix),
    ];
    assert_eq!(paths(&over), ["/variants"]);
    assert_eq!(paths(&[variant("a", 1001, Variable)]), ["/variants/0/weight"]);
    assert_eq!(
        paths(&[variant("a", 0, WeightType::from_name("weird"))]),
        ["/variants/0/weightType"]
    );
}

#[test]
fn variant_names_are_unique_and_url_friendly() {
    let twice = [
        variant("a", 0, WeightType::Variable),
        variant("a", 0, WeightType::Variable),
    ];
    assert_eq!(paths(&twice), ["/variants/1/name"]);
    for good in ["a!", "a*", "a'", "(a)", "a~", "a.b", "-"] {
        assert!(
            paths(&[variant(good, 0, WeightType::Variable)]).is_empty(),
            "{good}"
        );
    }
    for bad in [
        "",
        " ",
        ".",
        "..",
        "a@b",
        "a+b",
        "a/b",
        "grün",
        "v 1",
        &"x".repeat(101),
    ] {
        assert_eq!(
            paths(&[variant(bad, 0, WeightType::Variable)]),
            ["/variants/0/name"],
            "{bad}"
        );
    }
}

#[test]
fn payloads_are_what_their_type_says_and_overrides_are_whole() {
    let with = |kind: &str, value: &str| Variant {
        payload: Some(Payload {
            kind: kind.to_owned(),
            value: value.to_owned(),
        }),
        ..variant("a", 0, WeightType::Variable)
    };
    for (kind, value) in [
        ("json", " {} "),
        ("json", "[1]"),
        ("number", "x"),
        ("csv", "a,b"),
        ("string", "s"),
    ] {
        assert!(paths(&[with(kind, value)]).is_empty(), "{kind} {value}");
    }
    for value in ["{", "5", "true", "null", "\"x\""] {
        assert_eq!(
            paths(&[with("json", value)]),
            ["/variants/0/payload/value"],
            "{value}"
        );
    }
    assert_eq!(paths(&[with("string", "")]), ["/variants/0/payload/value"]);
    assert_eq!(paths(&[with("yaml", "x")]), ["/variants/0/payload/type"]);
    let overridden = Variant {
        overrides: vec![VariantOverride {
            context_name: String::new(),
            values: vec!["1".to_owned(), String::new()],
        }],
        ..variant("a", 0, WeightType::Variable)
    };
    assert_eq!(
        paths(&[overridden]),
        [
            "/variants/0/overrides/0/contextName",
            "/variants/0/overrides/0/values/1"
        ]
    );
}
