// Sign in: by name and password, by a token, or at a provider. Whoever was on the way to a page arrives there.

import { fill, freshId, h } from '../core/element.js';
import { problem } from '../core/notice.js';
import { part, root, send, waysIn } from '../core/api.js';
import { heading } from '../core/router.js';
import { signInText } from '../text.js';

function field(label, attributes, hint) {
  const id = freshId();
  const told = hint && freshId();
  return [h('label', { for: id }, label), h('input', { id, required: true, 'aria-describedby': told, ...attributes }), hint && h('p', { id: told, class: 'hint' }, hint)];
}

const name = () => field(signInText.username, { name: 'username', autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false' });
const password = () => field(signInText.password, { name: 'password', type: 'password', autocomplete: 'current-password' });
const signIn = (given) => send('POST', 'auth/simple/login', given);

/** What can be filled in: the fields, the words of the button, what becomes of them. */
const forms = {
  password: () => ({ fields: [name(), password()], words: signInText.submit, act: signIn }),
  token: () => ({ fields: [field(signInText.token, { name: 'token', type: 'password', autocomplete: 'off' }, signInText.tokenHint)], words: signInText.submit, act: ({ token }) => signIn({ token: String(token).trim() }) }),
  forgotten: () => ({ fields: [field(signInText.email, { name: 'email', type: 'email', autocomplete: 'email' })], words: signInText.sendLink, act: (given) => send('POST', 'auth/reset/password-email', given), done: signInText.linkSent }),
};

export function page() {
  const form = h('form', { class: 'sign-in' });
  const draw = (kind) => {
    const { fields, words, act, done } = forms[kind]();
    const told = h('div', { role: 'status' });
    const submit = h('button', { class: 'primary', type: 'submit' }, words);
    form.onsubmit = async (event) => {
      event.preventDefault();
      submit.disabled = true;
      try {
        await act(Object.fromEntries(new FormData(form)));
        if (done) fill(told, h('p', null, done));
        else location.reload();
      } catch (error) {
        submit.disabled = false;
        fill(told, problem(error));
        form.querySelector('input').focus();
      }
    };
    const other = (next, label) => next !== kind && h('button', { class: 'quiet', type: 'button', onclick: () => { draw(next); form.querySelector('input').focus(); } }, label);
    const here = part(location.pathname + location.search);
    fill(form, heading(kind === 'forgotten' ? signInText.forgotten : signInText.title),
      waysIn.provider && h('a', { class: 'button', href: `${root}/auth/oidc/login?to=${here}` }, signInText.atProvider),
      fields, told, submit,
      waysIn.password && other('password', signInText.withPassword),
      other('token', signInText.withToken),
      waysIn.password && (waysIn.mail ? other('forgotten', signInText.forgottenQuestion) : h('p', { class: 'hint' }, signInText.askAdmin)));
  };
  draw(waysIn.password ? 'password' : 'token');
  return form;
}
