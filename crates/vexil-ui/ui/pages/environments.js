// Environments: where flags live side by side, each with its own switch and strategies.

import { h } from '../core/element.js';
import { get, may, part, post, put, remove } from '../core/api.js';
import { show } from '../core/router.js';
import { state } from '../core/words.js';
import { askForm } from '../form/ask.js';
import { field, select, text } from '../form/form.js';
import { askRemove, rowButton, section, table } from '../settings/frame.js';
import { environmentText } from '../text.js';

const kinds = (chosen) => select('type', Object.entries(environmentText.kinds), chosen);
const approvals = (given) => text('requiredApprovals', given ?? '', { type: 'number', min: 1, max: 10 });
const read = (data) => ({ type: data.get('type'), requiredApprovals: data.get('requiredApprovals') ? Number(data.get('requiredApprovals')) : null });

function create() {
  askForm(environmentText.new, environmentText.create, async (data) => {
    await post('environments', { name: String(data.get('name')).trim(), ...read(data) });
    await show();
  }, field(environmentText.name, text('name', '', { required: true, spellcheck: 'false', autocapitalize: 'none' })), field(environmentText.kind, kinds('development')), field(environmentText.approvals, approvals(null), { hint: environmentText.approvalsHint }));
}

function edit(environment) {
  askForm(environmentText.edit(environment.name), environmentText.save, async (data) => {
    await put(`environments/update/${part(environment.name)}`, { ...read(data), sortOrder: Number(data.get('sortOrder')) });
    await show();
  }, field(environmentText.kind, kinds(environment.type)), field(environmentText.place, text('sortOrder', environment.sortOrder, { type: 'number' })), field(environmentText.approvals, approvals(environment.requiredApprovals), { hint: environmentText.approvalsHint }));
}

export async function page({ signal }) {
  const { environments } = await get('environments', { signal });
  const admin = may('ADMIN');
  const turn = (one) => async () => {
    await post(`environments/${part(one.name)}/${one.enabled ? 'off' : 'on'}`, {});
    await show();
  };
  const tools = (one) => admin && h('div', { class: 'row-tools' }, rowButton(environmentText.change, one.name, () => edit(one)), rowButton(one.enabled ? environmentText.off : environmentText.on, one.name, turn(one)),
    rowButton(environmentText.remove, one.name, () => askRemove(environmentText.removeQuestion(one.name), environmentText.removeHint(one.enabledToggleCount, one.apiTokenCount), async () => {
      await remove(`environments/${part(one.name)}`);
      await show();
    })));
  const rows = [...environments].sort((a, b) => a.sortOrder - b.sortOrder).map((one) => [
    h('span', { class: 'name' }, one.name), environmentText.kinds[one.type] ?? one.type, state({ enabled: one.enabled }), environmentText.uses(one.projectCount, one.enabledToggleCount), tools(one),
  ]);
  return section('environments', admin && h('button', { type: 'button', class: 'primary', onclick: create }, environmentText.new), table(environmentText.title, environmentText.columns, rows));
}
