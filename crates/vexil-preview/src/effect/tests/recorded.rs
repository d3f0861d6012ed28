//! Changes of which it is kept what they take and what is said of them.
//!
//! A search that is cut off too late, or something that is decided twice, says nothing else than before: it only
//! takes more. And what is said is read by people and kept with approvals, so it does not change unnoticed.
//! Where either changes on purpose, the rows are exchanged for those that the test shows.

use std::fmt::Debug;

use sha2::{Digest as _, Sha256};
use time::macros::datetime;
use vexil_budget::Budget;
use vexil_domain::{
    ActivationStrategy, Constraint, Dependency, EnvironmentFlag, EnvironmentSnapshot, FlagSettings, Operator,
    Stickiness, Variant, VariantOverride,
};

use super::mixed::{DATES, KINDS, POWERS, mixed_change};
use super::sides::{Random, Sides};
use crate::{ContextMatrix, ContextSet, Guard, Share};

const FIELDS: [&str; 6] = [
    "plan",
    "userId",
    "sessionId",
    "remoteAddress",
    "currentTime",
    "appVersion",
];

fn constraint(random: &mut Random) -> Constraint {
    use Operator::{
        DateAfter, DateBefore, In, InCidr, NotIn, NumGte, NumLt, Regex, SemverGte, SemverLt, StrContains,
        StrEndsWith, StrStartsWith,
    };
    let (operators, values): (&[Operator], &[&str]) = match random.below(5) {
        0 => (&[In, NotIn], &["free", "pro", "7", "u-1", "1.0.0", "10.0.0.7"]),
        1 => (
            &[StrStartsWith, StrEndsWith, StrContains, Regex],
            &["u", "u-", "1", "0.", "pro", "ro"],
        ),
        2 => (&[NumGte, NumLt], &["0", "5", "1e3"]),
        3 => (&[InCidr], &["10.0.0.0/30", "10.0.0.0/8", "::/64"]),
        _ => (
            &[DateAfter, DateBefore, SemverGte, SemverLt],
            &["2024-07-01T00:00:00Z", "1.0.0", "2.0.0-rc.1", "2024-12-31"],
        ),
    };
    let operator = random.one_of(operators).clone();
    let field = match operator {
        InCidr => "remoteAddress",
        DateAfter | DateBefore => "currentTime",
        SemverGte | SemverLt => "appVersion",
        _ => *random.one_of(&FIELDS),
    };
    let mut constraint = Constraint::new(field, operator);
    constraint.value = Some((*random.one_of(values)).to_owned());
    constraint.values = (0..=random.below(2))
        .map(|_| (*random.one_of(values)).to_owned())
        .collect();
    constraint.inverted = Some(random.below(4) == 0);
    constraint.case_insensitive = Some(random.below(3) == 0);
    constraint
}

fn variants(random: &mut Random) -> Vec<Variant> {
    let count = *random.one_of(&[0, 0, 1, 2, 3]);
    let stickiness = *random.one_of(&["default", "random", "userId", "plan"]);
    let one = |number: usize| {
        let mut variant = Variant::new(format!("v{number}"), *random.one_of(&[0, 1, 333, 500]));
        variant.stickiness = (random.below(2) == 0).then(|| Stickiness::from_name(stickiness));
        if random.below(4) == 0 {
            variant.overrides = vec![VariantOverride {
                context_name: (*random.one_of(&FIELDS)).to_owned(),
                values: vec!["u-1".to_owned(), "7".to_owned()],
            }];
        }
        variant
    };
    (0..count).map(one).collect()
}

fn strategy(number: usize, random: &mut Random) -> ActivationStrategy {
    let (name, parameters): (&str, &[(&str, &str)]) = match random.below(12) {
        0 => ("default", &[]),
        1 => ("userWithId", &[("userIds", "u-1, 7,u-2")]),
        2 => ("remoteAddress", &[("IPs", "10.0.0.7,10.0.0.0/30")]),
        3 => ("applicationHostname", &[("hostNames", "one, two")]),
        4 => ("gradualRolloutRandom", &[("percentage", "40")]),
        5 => (
            "gradualRolloutSessionId",
            &[("percentage", "25"), ("groupId", "a")],
        ),
        6 => ("ours", &[("who", "all")]),
        7 | 8 => (
            "flexibleRollout",
            &[("rollout", "50"), ("stickiness", "default"), ("groupId", "a")],
        ),
        9 => ("flexibleRollout", &[("rollout", "100"), ("stickiness", "plan")]),
        _ => (
            "flexibleRollout",
            &[("rollout", "30"), ("stickiness", "userId"), ("groupId", "b")],
        ),
    };
    let strategy = ActivationStrategy::new(format!("s{number}"), name);
    let all = parameters.iter();
    let mut strategy = all.fold(strategy, |made, (name, value)| made.with_parameter(*name, *value));
    strategy.constraints = (0..random.below(4)).map(|_| constraint(random)).collect();
    strategy.variants = variants(random);
    strategy.disabled = random.below(8) == 0;
    strategy
}

fn flag(name: &str, random: &mut Random) -> EnvironmentFlag {
    let strategies = (0..random.below(4))
        .map(|number| strategy(number, random))
        .collect();
    EnvironmentFlag {
        settings: FlagSettings {
            enabled: random.below(9) > 0,
            strategies,
            variants: variants(random),
        }
        .into(),
        ..EnvironmentFlag::new(name, "default")
    }
}

/// An environment, and what two edits make of it.
fn edited(random: &mut Random) -> [EnvironmentSnapshot; 3] {
    let parent = flag("parent", random);
    let mut own = flag("f", random);
    if random.below(3) == 0 {
        own.dependencies.push(Dependency {
            parent: "parent".into(),
            enabled: random.below(3) > 0,
            variants: vec!["v0".to_owned()],
        });
    }
    let mut edit = |number: usize| {
        let mut edited = own.clone();
        let mut settings = FlagSettings::clone(&edited.settings);
        let place = random.below(settings.strategies.len() + 1);
        match number {
            0 => {}
            _ if random.below(3) > 0 => settings.strategies.insert(place, strategy(9, random)),
            _ => settings.variants = variants(random),
        }
        edited.settings = settings.into();
        [edited, parent.clone()].into_iter().collect()
    };
    [edit(0), edit(1), edit(2)]
}

/// Whatever is told of a change, and for how many units of work.
fn told(sides: &Sides, third: &EnvironmentSnapshot) -> (u64, u32) {
    let budget = Budget::new(400_000);
    let comparison = sides.comparison();
    let flags = ["f".into()];
    let mut text = String::new();
    let mut tell = |told: &dyn Debug| text.push_str(&format!("{told:?}\n"));
    let set = |values: [&str; 2]| ContextSet {
        fields: vec![("plan".to_owned(), values.map(str::to_owned).into())],
    };
    let guards = [
        Guard::Never(set(["pro", "none"])),
        Guard::Only(set(["free", ""])),
        Guard::AtMost(Share::new(1, 3)),
    ];
    tell(&comparison.effect(&flags, &guards, &budget));
    tell(&comparison.certificate(&flags[0], &budget).map_err(drop));
    let mut matrix = ContextMatrix::new();
    matrix.set("plan", ["pro", "free", ""].map(str::to_owned).into());
    matrix.set("userId", ["u-1", "someone"].map(str::to_owned).into());
    tell(&comparison.covers(&flags, &matrix, &budget).map_err(drop));
    let others = Sides::new((sides.before.clone(), third.clone()));
    let [_, third] = others.both();
    tell(&comparison.meeting(third, &flags[0], &budget));
    let place = comparison.flag_effect(&flags[0], Some(datetime!(2024-07-01 00:00 UTC)), &budget);
    tell(&place.undecided);
    let digest = Sha256::digest(text);
    (
        budget.spent(),
        u32::from_be_bytes([digest[0], digest[1], digest[2], digest[3]]),
    )
}

/// Compares what is told of the changes that these numbers draw.
fn are_as_recorded(
    recorded: &[(u64, u64, u32)],
    mut drawn: impl FnMut(&mut Random) -> [EnvironmentSnapshot; 3],
) {
    let found = recorded.iter().map(|(number, ..)| {
        let [before, after, third] = drawn(&mut Random(*number));
        let (spent, said) = told(&Sides::new((before, after)), &third);
        (*number, spent, said)
    });
    let found: Vec<(u64, u64, u32)> = found.collect();
    let row = |(number, spent, said)| format!("    ({number}, {spent}, 0x{said:08x}),\n");
    let rows: String = found.iter().copied().map(row).collect();
    assert!(found == recorded, "{rows}");
}

#[test]
fn changes_of_all_kinds_take_and_say_what_they_did() {
    are_as_recorded(&OF_ALL_KINDS, edited);
}

#[test]
fn conditions_on_values_and_letters_take_and_say_what_they_did() {
    are_as_recorded(&OF_VALUES_AND_LETTERS, |random| {
        let kinds = [KINDS.as_slice(), &[POWERS], &[DATES]];
        let kinds = *random.one_of(&kinds);
        let (before, after) = mixed_change(kinds, random);
        let (_, third) = mixed_change(kinds, random);
        [before, after, third]
    });
}

/// The number that a change is drawn by, the units of work, and the first digits of a digest of what is said.
const OF_ALL_KINDS: [(u64, u64, u32); 112] = [
    (0, 7385, 0x03950e21),
    (1, 2453, 0x3df166f5),
    (2, 225, 0xae578e7f),
    (3, 3113, 0x28ccd186),
    (4, 886, 0x78e13b49),
    (5, 42, 0x0296fbf8),
    (7, 9202, 0x13262f84),
    (8, 12683, 0x35f4a67a),
    (10, 173, 0x0296fbf8),
    (12, 11244, 0x6ee8af68),
    (16, 2025, 0x7b9b7962),
    (17, 1678, 0xeabbd90d),
    (18, 4709, 0xb3ebd4f4),
    (19, 622, 0x78d25616),
    (20, 3007, 0x762dc3d9),
    (21, 211, 0xa75a0f22),
    (22, 18999, 0x0ebb92be),
    (23, 3669, 0x95552648),
    (24, 753, 0x7aa6281e),
    (25, 172, 0xb5e7d4dc),
    (26, 8325, 0x39541353),
    (28, 17399, 0x82ed3bbc),
    (29, 14839, 0xfbfe3487),
    (31, 2026, 0xf2f2886d),
    (32, 7927, 0x355837f4),
    (33, 1660, 0x4725c90b),
    (34, 7490, 0xe29f8ecd),
    (35, 524, 0xb03d493c),
    (36, 726, 0x3fc51422),
    (37, 152, 0x084dbd73),
    (38, 12096, 0xb96c3d5a),
    (40, 875, 0xb9e81a49),
    (41, 1996, 0x82a0a9c7),
    (47, 18302, 0x1ae2ec99),
    (49, 197, 0xe5836446),
    (50, 47537, 0x15925160),
    (52, 749, 0x8e757982),
    (55, 218, 0xb43a888a),
    (56, 791, 0x6e8e4556),
    (58, 338, 0x7add28a6),
    (59, 313, 0x307e334c),
    (62, 1756, 0x5da8e6a6),
    (63, 429, 0x48929e68),
    (64, 18749, 0x1485df44),
    (65, 4748, 0xee8a3746),
    (66, 12015, 0x777f4ac7),
    (67, 1722, 0xe56cd3cf),
    (68, 3957, 0x840b0a4c),
    (69, 4886, 0x922dd7da),
    (70, 395, 0x69a8ef32),
    (71, 9561, 0x0e282c28),
    (72, 437, 0xd9eec051),
    (74, 2281, 0x0b6cd56a),
    (75, 134, 0xd38ab328),
    (76, 551, 0x6caa47a9),
    (77, 5817, 0x56c47f15),
    (78, 1231, 0xc3819edc),
    (79, 1490, 0x2d535f33),
    (80, 1007, 0x2a707d76),
    (82, 150, 0xb977ab33),
    (83, 115, 0x10e3f893),
    (85, 125, 0xb8ed45ce),
    (86, 1322, 0xb3d61ea8),
    (87, 1444, 0x38f3e4f0),
    (88, 13173, 0x4e3b64a8),
    (89, 4672, 0xacea9762),
    (90, 2183, 0x5e7a20af),
    (92, 2041, 0x0332b23d),
    (93, 3899, 0xe3693705),
    (95, 3036, 0x4745f26e),
    (96, 1322, 0x89f689ca),
    (97, 9796, 0x6a188b86),
    (98, 268, 0xb04879c9),
    (100, 615, 0x767a5e09),
    (101, 1487, 0x0c39fde0),
    (103, 1260, 0xff0cbb99),
    (104, 16976, 0xe72b69d8),
    (110, 6976, 0xbb9e71a4),
    (113, 5448, 0xa4682248),
    (114, 14903, 0x7653e9b9),
    (115, 161, 0xffb2f924),
    (119, 960, 0x0cf1fe4a),
    (121, 2164, 0xe675ff07),
    (122, 188, 0xe9599fdd),
    (123, 4215, 0xe05ad273),
    (124, 7871, 0x80f296be),
    (125, 425, 0xb70184e1),
    (126, 4028, 0xb8d10bc5),
    (127, 12204, 0x02d0f0f8),
    (128, 19467, 0xd7dca7cf),
    (129, 1901, 0x33e023d3),
    (130, 53850, 0x1340bf6d),
    (132, 1085, 0xee5df637),
    (133, 2797, 0xf0129de5),
    (135, 1293, 0xe50349f0),
    (136, 2009, 0x3a7cd109),
    (138, 2761, 0x426c8155),
    (140, 12156, 0x126b0c32),
    (141, 1957, 0xcf9d4841),
    (143, 816, 0x299dafbe),
    (144, 7305, 0x2c82cb63),
    (145, 13903, 0xbd3d740a),
    (146, 116, 0x7bb74c4d),
    (149, 3821, 0x08fd4ec0),
    (151, 11378, 0x5647ae4a),
    (152, 15622, 0x65f9cdd4),
    (153, 167, 0x4610fa62),
    (154, 253, 0x8a9ba99c),
    (156, 3338, 0x1b3c14e6),
    (157, 1542, 0x3a91b3f2),
    (158, 557, 0x3e52214b),
    (159, 354, 0xd32a8bbb),
];

const OF_VALUES_AND_LETTERS: [(u64, u64, u32); 4] = [
    (26, 254108, 0x84cac1e7),
    (27, 170526, 0x896c3677),
    (32, 210161, 0x81806492),
    (58, 29142, 0x50e2587f),
];
