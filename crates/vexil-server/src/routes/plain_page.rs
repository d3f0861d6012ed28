//! Pages that work without scripts: for people who are not signed in and come with a link, or from a provider of
//! single sign-on.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use vexil_service::operations::Error;
use vexil_service::sign_in::Secret;
use vexil_ui::escaped;

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}label{display:block;margin:1rem 0 .25rem}input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem}button{font:inherit;margin-top:1.25rem;padding:.5rem 1rem}.problem{border-left:.25rem solid #c22;padding-left:.75rem}";

/// A page.
#[derive(Debug, Default)]
pub(super) struct PlainPage<'a> {
    /// Its heading.
    pub(super) title: &'a str,
    /// What it says, a paragraph each.
    pub(super) text: Vec<String>,
    /// What is wrong with what was sent before, or went wrong.
    pub(super) problems: Vec<String>,
    /// What is asked.
    pub(super) form: Option<Form<'a>>,
    /// Where to go on: a path and its name.
    pub(super) link: Option<(String, &'a str)>,
}

/// What a page asks.
#[derive(Debug)]
pub(super) struct Form<'a> {
    /// Where it is sent.
    pub(super) action: String,
    /// What it knows already: names and values.
    pub(super) hidden: Vec<(&'a str, String)>,
    /// What is asked.
    pub(super) fields: Vec<Field<'a>>,
    /// What its button says.
    pub(super) button: &'a str,
}

/// One thing that is asked.
#[derive(Debug)]
pub(super) struct Field<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// What people read.
    pub(super) label: &'a str,
    /// `text`, `email` or `password`.
    pub(super) kind: &'a str,
    /// What browsers fill in.
    pub(super) autocomplete: &'a str,
    /// Whether it may stay empty.
    pub(super) is_optional: bool,
}

impl PlainPage<'_> {
    /// The answer with this page.
    pub(super) fn answer(&self, status: StatusCode) -> Result<HttpResponse, Error> {
        let nonce = Secret::random()?;
        let nonce = nonce.text();
        let policy = format!(
            "default-src 'none'; style-src 'nonce-{nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
        );
        let mut answer = HttpResponse::build(status);
        answer
            .insert_header((CONTENT_TYPE, "text/html; charset=utf-8"))
            .insert_header((CACHE_CONTROL, "no-store"))
            .insert_header((CONTENT_SECURITY_POLICY, policy))
            // the address holds the secret of a link; a form must still say where it comes from
            .insert_header((REFERRER_POLICY, "same-origin"))
            .insert_header((X_FRAME_OPTIONS, "DENY"))
            .insert_header((X_CONTENT_TYPE_OPTIONS, "nosniff"));
        Ok(answer.body(self.html(nonce)))
    }

    fn html(&self, nonce: &str) -> String {
        let title = escaped(self.title);
        let mut html = format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title><style nonce=\"{nonce}\">{STYLE}</style></head><body><main><h1>{title}</h1>"
        );
        for paragraph in &self.text {
            html.push_str(&format!("<p>{}</p>", escaped(paragraph)));
        }
        for problem in &self.problems {
            html.push_str(&format!(
                "<p class=\"problem\" role=\"alert\">{}</p>",
                escaped(problem)
            ));
        }
        if let Some(form) = &self.form {
            form.write(&mut html);
        }
        if let Some((path, name)) = &self.link {
            html.push_str(&format!(
                "<p><a href=\"{}\">{}</a></p>",
                escaped(path),
                escaped(name)
            ));
        }
        html.push_str("</main></body></html>");
        html
    }
}

impl Form<'_> {
    fn write(&self, html: &mut String) {
        html.push_str(&format!(
            "<form method=\"post\" action=\"{}\">",
            escaped(&self.action)
        ));
        for (name, value) in &self.hidden {
            html.push_str(&format!(
                "<input type=\"hidden\" name=\"{}\" value=\"{}\">",
                escaped(name),
                escaped(value)
            ));
        }
        for field in &self.fields {
            html.push_str(&format!(
                "<label for=\"{name}\">{}</label><input id=\"{name}\" name=\"{name}\" type=\"{}\" autocomplete=\"{}\"{}>",
                escaped(field.label),
                escaped(field.kind),
                escaped(field.autocomplete),
                if field.is_optional { "" } else { " required" },
                name = escaped(field.name),
            ));
        }
        html.push_str(&format!("<button>{}</button></form>", escaped(self.button)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_was_sent_becomes_markup() {
        let evil = "\"><script>alert('x')</script>&";
        let page = PlainPage {
            title: evil,
            text: vec![evil.to_owned()],
            problems: vec![evil.to_owned()],
            form: Some(Form {
                action: evil.to_owned(),
                hidden: vec![(evil, evil.to_owned())],
                fields: vec![Field {
                    name: evil,
                    label: evil,
                    kind: evil,
                    autocomplete: evil,
                    is_optional: false,
                }],
                button: evil,
            }),
            link: Some((evil.to_owned(), evil)),
        };
        let html = page.html("n");
        assert!(!html.contains("<script"), "{html}");
        assert_eq!(html.matches("&quot;&gt;&lt;script&gt;").count(), 16);
    }
}
