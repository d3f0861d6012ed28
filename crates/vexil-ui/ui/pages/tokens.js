// Tokens: what SDKs and scripts show to be let in. A secret is told once.

import { h } from '../core/element.js';
import { get, part, post, remove } from '../core/api.js';
import { when } from '../core/number.js';
import { show } from '../core/router.js';
import { empty } from '../core/notice.js';
import { askForm, tellOnce } from '../form/ask.js';
import { field, select, text } from '../form/form.js';
import { askRemove, rowButton, section, table } from '../settings/frame.js';
import { tokenText } from '../text.js';

const DAY = 86_400_000;

async function create() {
  const [{ environments }, { projects }] = await Promise.all([get('environments'), get('projects')]);
  const type = select('type', Object.entries(tokenText.types), 'client', { onchange: () => { place.hidden = type.value === 'admin'; } });
  const place = h('div', { class: 'two' }, field(tokenText.environment, select('environment', environments.map((one) => [one.name, one.name]))), field(tokenText.project, select('project', [['*', tokenText.all], ...projects.map((one) => [one.id, one.name])], 'default')));
  askForm(tokenText.new, tokenText.create, async (data) => {
    const days = Number(data.get('days'));
    const admin = data.get('type') === 'admin';
    const made = await post('api-tokens', {
      tokenName: String(data.get('tokenName')).trim(), type: data.get('type'), ...(admin ? {} : { environment: data.get('environment'), projects: [data.get('project')] }), ...(days ? { expiresAt: new Date(Date.now() + days * DAY).toISOString() } : {}),
    });
    tellOnce(tokenText.secret, made.secret, tokenText.secretHint).then(show);
  }, field(tokenText.name, text('tokenName', '', { required: true }), { hint: tokenText.nameHint }), field(tokenText.type, type, { hint: tokenText.typeHint }), place, field(tokenText.ends, select('days', Object.entries(tokenText.lives), '')));
}

export async function page({ signal }) {
  const { tokens } = await get('api-tokens', { signal });
  const rows = tokens.map((one) => [
    h('span', { class: 'name prose' }, one.tokenName), tokenText.types[one.type] ?? one.type, one.type === 'admin' ? tokenText.everywhere : tokenText.scope(one.environment, (one.projects ?? [one.project]).join(', ')),
    one.expiresAt ? (Date.parse(one.expiresAt) < Date.now() ? h('span', { class: 'conflict' }, tokenText.expired, when(one.expiresAt)) : when(one.expiresAt)) : tokenText.never, one.seenAt ? when(one.seenAt) : tokenText.unseen,
    h('div', { class: 'row-tools' }, rowButton(tokenText.remove, one.tokenName, () => askRemove(tokenText.removeQuestion(one.tokenName), tokenText.removeHint, async () => {
      await remove(`api-tokens/${part(one.id ?? one.secret)}`);
      await show();
    }))),
  ]);
  return section('tokens', h('button', { type: 'button', class: 'primary', onclick: create }, tokenText.new), rows.length ? table(tokenText.title, tokenText.columns, rows) : empty(tokenText.none));
}
