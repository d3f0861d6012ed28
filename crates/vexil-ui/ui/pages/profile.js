// One's own account: password, personal tokens, and the browsers one is signed in with.

import { h } from '../core/element.js';
import { get, optional, part, post, remove, session } from '../core/api.js';
import { when } from '../core/number.js';
import { show } from '../core/router.js';
import { askForm, tellOnce } from '../form/ask.js';
import { field, select, text } from '../form/form.js';
import { rowButton, section, table } from '../settings/frame.js';
import { profileText, tokenText } from '../text.js';

const DAY = 86_400_000;

function changePassword() {
  askForm(profileText.changePassword, profileText.save, (data) => post('user/change-password', { oldPassword: data.get('oldPassword'), password: data.get('password'), confirmPassword: data.get('password') }),
    field(profileText.oldPassword, text('oldPassword', '', { type: 'password', autocomplete: 'current-password', required: true })), field(profileText.newPassword, text('password', '', { type: 'password', autocomplete: 'new-password', required: true })));
}

function newToken() {
  askForm(profileText.newToken, profileText.create, async (data) => {
    const made = await post('user/tokens', { description: data.get('description'), expiresAt: new Date(Date.now() + Number(data.get('days')) * DAY).toISOString() });
    tellOnce(tokenText.secret, made.secret, tokenText.secretHint).then(show);
  }, field(profileText.description, text('description', '', { required: true, maxlength: 255 })), field(tokenText.ends, select('days', Object.entries(tokenText.lives).filter(([days]) => days), '30')));
}

function sessions(list) {
  const row = (one) => [
    [h('span', { class: 'name prose' }, one.address || profileText.somewhere), one.current && h('span', { class: 'tag' }, profileText.here), h('span', { class: 'description' }, one.userAgent)], when(one.createdAt), when(one.seenAt),
    !one.current && h('div', { class: 'row-tools' }, rowButton(profileText.end, one.address || profileText.somewhere, async () => {
      await remove(`user/sessions/${part(one.id)}`);
      await show();
    })),
  ];
  const others = async () => {
    await remove('user/sessions');
    await show();
  };
  return [h('div', { class: 'title sub' }, h('h2', null, profileText.sessions), list.length > 1 && h('div', { class: 'actions' }, h('button', { type: 'button', onclick: others }, profileText.endOthers))), table(profileText.sessions, profileText.sessionColumns, list.map(row))];
}

export async function page({ signal }) {
  if (!session.isUser) return section('profile', null, h('p', null, profileText.noUser));
  const [{ pats }, open] = await Promise.all([get('user/tokens', { signal }), optional(get('user/sessions', { signal }))]);
  const rows = pats.map((one) => [h('span', { class: 'name prose' }, one.description), when(one.createdAt), one.expiresAt ? when(one.expiresAt) : tokenText.never, one.seenAt ? when(one.seenAt) : tokenText.unseen,
    h('div', { class: 'row-tools' }, rowButton(tokenText.remove, one.description, async () => {
      await remove(`user/tokens/${one.id}`);
      await show();
    }))]);
  return section('profile', h('button', { type: 'button', onclick: changePassword }, profileText.changePassword), h('p', { class: 'lead' }, session.name),
    h('div', { class: 'title sub' }, h('h2', null, profileText.tokens), h('div', { class: 'actions' }, h('button', { type: 'button', onclick: newToken }, profileText.newToken))), h('p', { class: 'lead' }, profileText.tokensLead),
    rows.length ? table(profileText.tokens, profileText.tokenColumns, rows) : h('p', { class: 'faint' }, profileText.noTokens), open && sessions(open.sessions));
}
