//! `vexil demo`: a server with something in it, and how to ask it.

use std::sync::Arc;

use time::OffsetDateTime;
use vexil_change_request::{
    Change, ChangeId, ChangeRequest, ChangeRequestId, NewStrategy, PlannedChange, State, UpdateEnabled,
};
use vexil_domain::{
    Constraint, FeatureFlag, FlagSettings, Operator, Segment, SegmentId, Stickiness, Variant, WeightType,
};
use vexil_metrics::Retention;
use vexil_service::operations::Error;
use vexil_service::sign_in::{Secret, SignInOptions};
use vexil_service::{App, InitialTokens, Limits, Transaction, bootstrap, first_admin, system};
use vexil_store::{Link, LinkPurpose, LinkWrite, TokenKind};

use crate::clock::system_clock;
use crate::config::DemoArguments;
use crate::serve::{StartError, serve, start_log};

const ADMIN: &str = "*:*.demo-admin";
const CLIENT: &str = "default:development.demo-client";
const FRONTEND: &str = "default:development.demo-frontend";
/// The name and password that newcomers try first. Nowhere but in the demo.
const USER: &str = "admin";
const PASSWORD: &str = "unleash4all";
/// For how long the link signs in.
const LINK_WORKS: time::Duration = time::Duration::minutes(10);
const FLAG: &str = "checkout-redesign";

/// Runs `vexil demo` until it is told to stop. The database is gone afterwards.
///
/// # Errors
///
/// When it cannot start, or breaks off.
pub fn run(arguments: &DemoArguments) -> Result<(), StartError> {
    start_log(&arguments.listen.log_level)?;
    let folder = Folder::create()?;
    let url = format!("sqlite:{}", folder.0.join("demo.db").display());
    let store = vexil_store_diesel::open(&url).map_err(StartError::Open)?;
    let app = App::open(Arc::new(store), Limits::default(), system_clock()).map_err(StartError::Database)?;
    let app = app.with_sign_in(SignInOptions::below(&arguments.listen.base_uri_path));
    let tokens = InitialTokens(vec![
        (TokenKind::Admin, ADMIN.to_owned()),
        (TokenKind::Client, CLIENT.to_owned()),
        (TokenKind::Frontend, FRONTEND.to_owned()),
    ]);
    bootstrap(&app, &tokens).map_err(StartError::Setup)?;
    let request = app.edit_blocking(&system(), fill).map_err(StartError::Setup)?;
    let link = sign_in_link(&app).map_err(StartError::Setup)?;
    let result = serve(&app, &arguments.listen, Retention::default(), |address, base| {
        Ok(greeting(&format!("http://{address}{base}"), request, &link))
    });
    drop(app);
    drop(folder);
    result
}

/// A folder of the machine's temporary files that is removed with this value.
struct Folder(std::path::PathBuf);

impl Folder {
    fn create() -> Result<Self, StartError> {
        let path = std::env::temp_dir().join(format!("vexil-demo-{}", uuid::Uuid::new_v4().simple()));
        match std::fs::create_dir(&path) {
            Ok(()) => Ok(Self(path)),
            Err(source) => Err(StartError::Folder { folder: path, source }),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_dir_all(&self.0) {
            tracing::warn!(%error, folder = %self.0.display(), "the demo's folder could not be removed");
        }
    }
}

/// What is printed once the demo answers.
fn greeting(url: &str, request: ChangeRequestId, link: &Secret) -> String {
    let link = link.text();
    let stop = OffsetDateTime::now_utc().unix_timestamp();
    format!(
        r#"
Vexil demo at {url}   (Ctrl-C stops it; nothing is kept)

  signs you in    {url}/auth/link/{link}?to=/ui/change-requests/default/{request}
                  (once, within ten minutes; after that as {USER} with the password {PASSWORD})

  admin token     {ADMIN}
  client token    {CLIENT}
  frontend token  {FRONTEND}

Change request {request} wants to open `{FLAG}` in development to half of all users in Norway and Sweden.

1. What would it do, and to whom?

curl -s '{url}/api/admin/playground/change-request/{request}' -H 'Authorization: {ADMIN}' -H 'Content-Type: application/json' \
  -d '{{"context":{{"appName":"shop","userId":"alice,bob,carol","properties":{{"country":"NO,SE,DK"}}}}}}'

2. Report usage, as an SDK does:

curl -s -i '{url}/api/client/metrics' -H 'Authorization: {CLIENT}' -H 'Content-Type: application/json' \
  -d '{{"appName":"shop","instanceId":"demo","bucket":{{"start":{stop},"stop":{stop},"toggles":{{"{FLAG}":{{"yes":7,"no":3,"variants":{{"blue":4,"green":3}}}}}}}}}}'

3. Read the last hour's usage back:

curl -s '{url}/api/admin/client-metrics/features/{FLAG}' -H 'Authorization: {ADMIN}'

"#
    )
}

/// Makes the demo's user, and a link that signs in as that user once.
fn sign_in_link(app: &App) -> Result<Secret, Error> {
    first_admin(app, USER, Some(PASSWORD))?;
    let secret = Secret::random()?;
    app.edit_blocking(&system(), |tx| {
        let user = tx.serving().users.with_login(USER).map(|user| user.id);
        if let Some(user) = user {
            tx.write_link(LinkWrite::Make(Link {
                secret_hash: secret.hash(),
                user,
                purpose: LinkPurpose::SignIn,
                created_at: tx.now,
                expires_at: tx.now + LINK_WORKS,
            }));
        }
        Ok(())
    })?;
    Ok(secret)
}

/// Flags, a segment and an open change request.
fn fill(tx: &mut Transaction<'_>) -> Result<ChangeRequestId, Error> {
    let segment = SegmentId(tx.counters.segment);
    tx.counters.segment += 1;
    let mut beta = Constraint::new("plan", Operator::In);
    beta.values = vec!["beta".to_owned(), "staff".to_owned()];
    let mut beta = Segment::new(segment, "beta-testers", vec![beta]);
    beta.description = Some("Customers on the beta plan, and our own people".to_owned());
    beta.created_at = Some(tx.now);
    tx.snapshot.segments.insert(segment, Arc::new(beta));

    add_flag(tx, FLAG, "The new checkout pages", None);
    let mut everybody = rollout("dark-mode", "100");
    everybody.id = Some(tx.random_strategy_id());
    add_flag(tx, "dark-mode", "Dark colours", Some(everybody));
    let mut testers = rollout("search-v2", "25");
    testers.id = Some(tx.random_strategy_id());
    testers.segments = vec![segment];
    add_flag(
        tx,
        "search-v2",
        "The new search, for a quarter of the beta testers",
        Some(testers),
    );

    let request = open_request(tx);
    let id = request.id;
    tx.put_change_request(request);
    Ok(id)
}

fn add_flag(tx: &mut Transaction<'_>, name: &str, description: &str, strategy: Option<NewStrategy>) {
    let mut flag = FeatureFlag::new(name, "default", tx.now);
    flag.description = Some(description.to_owned());
    for environment in tx.snapshot.environments.keys() {
        flag.environments
            .insert(environment.clone(), Arc::new(FlagSettings::default()));
    }
    if let Some(new) = strategy {
        let mut strategy = vexil_domain::ActivationStrategy::new(
            new.id.unwrap_or_else(|| tx.random_strategy_id()),
            new.name,
        );
        strategy.parameters = new.parameters;
        strategy.segments = new.segments;
        let settings = FlagSettings {
            enabled: true,
            strategies: vec![strategy],
            variants: Vec::new(),
        };
        flag.environments.insert("development".into(), Arc::new(settings));
    }
    tx.snapshot.flags.insert(flag.name.clone(), Arc::new(flag));
}

fn rollout(flag: &str, percentage: &str) -> NewStrategy {
    let parameters = [
        ("rollout", percentage),
        ("stickiness", "userId"),
        ("groupId", flag),
    ];
    NewStrategy {
        name: "flexibleRollout".to_owned(),
        parameters: parameters
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        ..NewStrategy::default()
    }
}

fn open_request(tx: &mut Transaction<'_>) -> ChangeRequest {
    let mut nordic = Constraint::new("country", Operator::In);
    nordic.values = vec!["NO".to_owned(), "SE".to_owned()];
    let variant = |name: &str| Variant {
        name: name.to_owned(),
        weight: 500,
        weight_type: WeightType::Variable,
        stickiness: Some(Stickiness::Field("userId".to_owned())),
        payload: None,
        overrides: Vec::new(),
    };
    let strategy = NewStrategy {
        title: Some("Half of Norway and Sweden".to_owned()),
        constraints: vec![nordic],
        variants: vec![variant("blue"), variant("green")],
        ..rollout(FLAG, "50")
    };
    let changes = [
        Change::AddStrategy(strategy),
        Change::UpdateEnabled(UpdateEnabled {
            enabled: true,
            activate_disabled: false,
        }),
    ];
    let id = ChangeRequestId(tx.counters.change_request);
    tx.counters.change_request += 1;
    let planned = changes.into_iter().map(|change| {
        let id = ChangeId(tx.counters.change);
        tx.counters.change += 1;
        PlannedChange {
            id,
            flag: Some(FLAG.into()),
            change: change.into(),
            before: None,
            created_by: tx.actor.clone(),
            created_at: tx.now,
        }
    });
    let changes = planned.collect();
    ChangeRequest {
        id,
        title: Some("Open the new checkout in Norway and Sweden".to_owned()),
        project: "default".into(),
        environment: "development".into(),
        min_approvals: 1,
        state: State::InReview,
        changes,
        approvals: Vec::new(),
        rejections: Vec::new(),
        comments: Vec::new(),
        requested_reviewers: Vec::new(),
        created_by: tx.actor.clone(),
        created_at: tx.now,
        state_timestamps: [(State::Draft, tx.now), (State::InReview, tx.now)].into(),
        schedule: None,
        setback: None,
        earlier_titles: Vec::new(),
    }
}
