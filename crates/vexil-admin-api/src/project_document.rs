//! How projects are shown.

use serde::Serialize;
use time::OffsetDateTime;
use vexil_domain::{EnvironmentName, Project};

use super::project_figures::{ProjectStats, Rated};
use super::timestamp::Timestamp;

/// How far a project has come: whether it has flags, and whether they were ever reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Onboarding {
    /// No flags yet.
    OnboardingStarted,
    /// There are flags.
    Onboarded,
}

/// A project in the list of all.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectListItem<'a> {
    name: &'a str,
    id: &'a str,
    description: Option<&'a str>,
    health: u8,
    technical_debt: u8,
    feature_count: usize,
    member_count: usize,
    created_at: Timestamp,
    archived_at: Option<Timestamp>,
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    favorite: Option<bool>,
    onboarding_status: Onboarding,
    owners: [Owner; 1],
}

/// What a list tells of a project besides its settings.
#[derive(Debug, Clone, Copy, Default)]
pub struct ListedProject {
    /// What it is to people who have no role in it.
    pub mode: &'static str,
    /// How many people were given something in it.
    pub members: usize,
    /// Whether it is a favourite of the person who asks; a token has none.
    pub favorite: Option<bool>,
}

/// Who owns a project.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Owner {
    owner_type: &'static str,
}

/// Live flags of a project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FlagCounts {
    /// How many there are, by what they are for.
    pub by_kind: std::collections::BTreeMap<String, usize>,
    /// How many of them have outlived their purpose.
    pub stale: usize,
    /// How many of the others are older than flags of their type are expected to become.
    pub potentially_stale: usize,
}

impl FlagCounts {
    /// How many there are.
    #[must_use]
    pub fn total(&self) -> usize {
        self.by_kind.values().sum()
    }

    /// How many of them have outlived their purpose, or may have.
    #[must_use]
    pub fn aged(&self) -> usize {
        self.stale + self.potentially_stale
    }

    /// The share of flags that have outlived their purpose, or may have, in percent.
    #[must_use]
    pub fn technical_debt(&self) -> u8 {
        let share = (self.aged() * 100).checked_div(self.total()).unwrap_or(0);
        u8::try_from(share).unwrap_or(100)
    }

    /// The same with a rating in percent.
    #[must_use]
    pub fn rated(&self, rating: u8) -> Rated {
        Rated {
            rating,
            active_count: self.total().saturating_sub(self.stale),
            potentially_stale_count: self.potentially_stale,
            stale_count: self.stale,
        }
    }

    /// How many there are of each kind.
    #[must_use]
    pub fn type_counts(&self) -> Vec<TypeCount<'_>> {
        let counts = self.by_kind.iter();
        counts
            .map(|(kind, count)| TypeCount { kind, count: *count })
            .collect()
    }

    fn onboarding(&self) -> Onboarding {
        if self.total() == 0 {
            Onboarding::OnboardingStarted
        } else {
            Onboarding::Onboarded
        }
    }
}

impl<'a> ProjectListItem<'a> {
    /// Shows `project`, which has these flags.
    #[must_use]
    pub fn of(project: &'a Project, flags: &FlagCounts, told: &ListedProject) -> Self {
        let technical_debt = flags.technical_debt();
        Self {
            name: &project.name,
            id: project.id.as_str(),
            description: project.description.as_deref(),
            health: 100 - technical_debt.min(100),
            technical_debt,
            feature_count: flags.total(),
            member_count: told.members,
            created_at: project.created_at.into(),
            archived_at: None,
            mode: told.mode,
            favorite: told.favorite,
            onboarding_status: flags.onboarding(),
            owners: [Owner { owner_type: "system" }],
        }
    }
}

/// A project with its environments.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectOverview<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<ProjectStats>,
    id: &'a str,
    name: &'a str,
    description: Option<&'a str>,
    mode: &'static str,
    feature_limit: Option<u32>,
    feature_naming: FeatureNaming<'a>,
    link_templates: Vec<Link<'a>>,
    default_stickiness: &'a str,
    health: u8,
    technical_debt: u8,
    favorite: bool,
    updated_at: Option<Timestamp>,
    created_at: Timestamp,
    onboarding_status: Onboarding,
    environments: Vec<EnvironmentReference<'a>>,
    feature_type_counts: Vec<TypeCount<'a>>,
    members: usize,
    version: u8,
}

/// What is set about a project beside its flags, to be shown.
#[derive(Debug, Clone, Default)]
pub struct ShownSettings<'a> {
    /// What it is to people who have no role in it.
    pub mode: &'static str,
    /// How many flags it may have.
    pub feature_limit: Option<u32>,
    /// What the names of new flags must be like: pattern, example, description.
    pub naming: (Option<&'a str>, Option<&'a str>, Option<&'a str>),
    /// Links of new flags: title and address.
    pub link_templates: Vec<(Option<&'a str>, &'a str)>,
    /// How many people were given something in it.
    pub members: usize,
    /// What happened in it of late, where that is known.
    pub stats: Option<ProjectStats>,
    /// Whether it is a favourite of whoever asks.
    pub favorite: bool,
    /// When something happened in it last.
    pub updated_at: Option<OffsetDateTime>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Link<'a> {
    title: Option<&'a str>,
    url_template: &'a str,
}

#[derive(Debug, Serialize)]
struct FeatureNaming<'a> {
    pattern: Option<&'a str>,
    example: Option<&'a str>,
    description: Option<&'a str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct EnvironmentReference<'a> {
    environment: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    default_strategy: Option<&'a vexil_domain::ActivationStrategy>,
}

/// How many live flags are for one thing.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct TypeCount<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    count: usize,
}

impl<'a> ProjectOverview<'a> {
    /// Shows `project`, which has these flags, with its environments in the order given.
    #[must_use]
    pub fn of(
        project: &'a Project,
        environments: &[&'a EnvironmentName],
        flags: &'a FlagCounts,
        settings: &ShownSettings<'a>,
    ) -> Self {
        let (pattern, example, description) = settings.naming;
        let technical_debt = flags.technical_debt();
        let reference = |name: &&'a EnvironmentName| EnvironmentReference {
            environment: name.as_str(),
            default_strategy: project
                .environments
                .get(*name)
                .and_then(|rules| rules.default_strategy.as_ref()),
        };
        Self {
            stats: settings.stats,
            id: project.id.as_str(),
            name: &project.name,
            description: project.description.as_deref(),
            mode: settings.mode,
            feature_limit: settings.feature_limit,
            feature_naming: FeatureNaming {
                pattern,
                example,
                description,
            },
            link_templates: settings
                .link_templates
                .iter()
                .map(|(title, url_template)| Link {
                    title: *title,
                    url_template,
                })
                .collect(),
            default_stickiness: project.default_stickiness.name(),
            health: 100 - technical_debt.min(100),
            technical_debt,
            favorite: settings.favorite,
            updated_at: settings.updated_at.map(Timestamp),
            created_at: project.created_at.into(),
            onboarding_status: flags.onboarding(),
            environments: environments.iter().map(reference).collect(),
            feature_type_counts: flags.type_counts(),
            members: settings.members,
            version: 1,
        }
    }
}

/// A project that was created.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProjectCreated<'a> {
    id: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    default_stickiness: &'a str,
    environments: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    change_request_environments: Vec<Rule<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule<'a> {
    name: &'a str,
    required_approvals: u32,
}

impl<'a> ProjectCreated<'a> {
    /// Shows `project`.
    #[must_use]
    pub fn of(project: &'a Project) -> Self {
        let rule = |(name, rules): (&'a EnvironmentName, &'a vexil_domain::ProjectEnvironment)| {
            let required_approvals = rules.change_requests?.required_approvals;
            Some(Rule {
                name: name.as_str(),
                required_approvals,
            })
        };
        Self {
            id: project.id.as_str(),
            name: &project.name,
            description: project.description.as_deref(),
            mode: None,
            default_stickiness: project.default_stickiness.name(),
            environments: project.environments.keys().map(EnvironmentName::as_str).collect(),
            change_request_environments: project.environments.iter().filter_map(rule).collect(),
        }
    }

    /// Says what the project is to people who have no role in it.
    #[must_use]
    pub fn with_mode(self, mode: &'static str) -> Self {
        let mode = Some(mode);
        Self { mode, ..self }
    }
}
