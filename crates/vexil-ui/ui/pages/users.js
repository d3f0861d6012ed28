// Users: who may sign in, and what they may do everywhere.

import { h } from '../core/element.js';
import { get, post, put, remove, session } from '../core/api.js';
import { when } from '../core/number.js';
import { show } from '../core/router.js';
import { empty } from '../core/notice.js';
import { askForm, tellOnce } from '../form/ask.js';
import { field, select, text } from '../form/form.js';
import { askRemove, rowButton, section, table } from '../settings/frame.js';
import { userText } from '../text.js';

const nameOf = (user) => user.name || user.username || user.email || `#${user.id}`;
const roles = (all, chosen) => select('rootRole', all.map((role) => [role.id, role.name]), chosen);
/** The members of a body that are not left empty. */
const filled = (data, names) => Object.fromEntries(names.map((name) => [name, String(data.get(name) ?? '').trim()]).filter(([, value]) => value));

function create(all) {
  askForm(userText.new, userText.create, async (data) => {
    const made = await post('user-admin', { ...filled(data, ['username', 'email', 'name', 'password']), rootRole: Number(data.get('rootRole')) });
    if (made.inviteLink) tellOnce(userText.link, made.inviteLink, userText.linkHint).then(show);
    else await show();
  }, field(userText.username, text('username', '', { spellcheck: 'false', autocapitalize: 'none' }), { hint: userText.usernameHint }), field(userText.email, text('email', '', { type: 'email' })), field(userText.name, text('name')),
  field(userText.role, roles(all, all.at(-1)?.id), { hint: userText.roleHint }), field(userText.password, text('password', '', { type: 'password', autocomplete: 'new-password' }), { hint: userText.passwordHint }));
}

function edit(user, all) {
  askForm(userText.edit(nameOf(user)), userText.save, async (data) => {
    await put(`user-admin/${user.id}`, { ...filled(data, ['email', 'name']), rootRole: Number(data.get('rootRole')) });
    await show();
  }, field(userText.email, text('email', user.email ?? '', { type: 'email' })), field(userText.name, text('name', user.name ?? '')), field(userText.role, roles(all, user.rootRole)));
}

function password(user) {
  askForm(userText.passwordOf(nameOf(user)), userText.save, (data) => post(`user-admin/${user.id}/change-password`, { password: data.get('password') }),
    field(userText.newPassword, text('password', '', { type: 'password', autocomplete: 'new-password', required: true })));
}

export async function page({ signal }) {
  const { users, rootRoles } = await get('user-admin', { signal });
  const role = new Map(rootRoles.map((one) => [one.id, one.name]));
  const rows = users.map((user) => [
    [h('span', { class: 'name prose' }, nameOf(user)), user.id === session.id && h('span', { class: 'tag' }, userText.you), h('span', { class: 'description' }, [user.username, user.email].filter(Boolean).join(' · '))], role.get(user.rootRole) ?? '', user.seenAt ? when(user.seenAt) : userText.unseen,
    h('div', { class: 'row-tools' }, rowButton(userText.change, nameOf(user), () => edit(user, rootRoles)), rowButton(userText.setPassword, nameOf(user), () => password(user)),
      user.id !== session.id && rowButton(userText.remove, nameOf(user), () => askRemove(userText.removeQuestion(nameOf(user)), userText.removeHint, async () => {
        await remove(`user-admin/${user.id}`);
        await show();
      }))),
  ]);
  return section('users', h('button', { type: 'button', class: 'primary', onclick: () => create(rootRoles) }, userText.new), rows.length ? table(userText.title, userText.columns, rows) : empty(userText.none));
}
