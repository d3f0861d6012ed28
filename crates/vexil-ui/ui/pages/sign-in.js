// Sign in: by name and password, or by a token. Whoever was on the way to a page arrives there.

import { fill, freshId, h } from '../core/element.js';
import { problem } from '../core/notice.js';
import { send } from '../core/api.js';
import { heading } from '../core/router.js';
import { signInText } from '../text.js';

function field(label, attributes, hint) {
  const id = freshId();
  const told = hint && freshId();
  return [h('label', { for: id }, label), h('input', { id, required: true, 'aria-describedby': told, ...attributes }), hint && h('p', { id: told, class: 'hint' }, hint)];
}

export function page() {
  let byToken = false;
  const form = h('form', { class: 'sign-in' });
  const draw = () => {
    const fault = h('div', null);
    const submit = h('button', { class: 'primary', type: 'submit' }, signInText.submit);
    form.onsubmit = async (event) => {
      event.preventDefault();
      submit.disabled = true;
      try {
        const given = Object.fromEntries(new FormData(form));
        await send('POST', 'auth/simple/login', byToken ? { token: String(given.token).trim() } : given);
        location.reload();
      } catch (error) {
        submit.disabled = false;
        fill(fault, problem(error));
        form.querySelector('input').focus();
      }
    };
    fill(form, heading(signInText.title),
      byToken ? field(signInText.token, { name: 'token', type: 'password', autocomplete: 'off' }, signInText.tokenHint)
        : [field(signInText.username, { name: 'username', autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false' }), field(signInText.password, { name: 'password', type: 'password', autocomplete: 'current-password' })],
      fault, submit,
      h('button', { class: 'quiet', type: 'button', onclick: () => { byToken = !byToken; draw(); form.querySelector('input').focus(); } }, byToken ? signInText.withPassword : signInText.withToken));
  };
  draw();
  return form;
}
