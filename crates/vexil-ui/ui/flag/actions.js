// What can be done with a flag as a whole: what it says of itself, what it depends on, its copy, its end.

import { h } from '../core/element.js';
import { get, may, part, post, put } from '../core/api.js';
import { go, show } from '../core/router.js';
import { askForm } from '../form/ask.js';
import { area, check, field, select, text } from '../form/form.js';
import { confirmChange } from '../edit/save.js';
import { flagActionText, kindText } from '../text.js';

const pathOf = (flag) => `projects/${part(flag.project)}/features/${part(flag.name)}`;

function describe(flag) {
  askForm(flagActionText.editTitle(flag.name), flagActionText.save, async (data) => {
    await put(pathOf(flag), { name: flag.name, description: data.get('description'), type: data.get('type'), impressionData: data.has('impressionData'), stale: data.has('stale') });
    await show();
  }, field(flagActionText.description, area('description', flag.description ?? '')), field(flagActionText.type, select('type', Object.entries(kindText), flag.type)),
  check('stale', flagActionText.stale, flag.stale), check('impressionData', flagActionText.impressionData, flag.impressionData));
}

function copy(flag) {
  askForm(flagActionText.copyTitle(flag.name), flagActionText.copy, async (data) => {
    const name = String(data.get('name')).trim();
    await post(`${pathOf(flag)}/clone`, { name, replaceGroupId: true });
    go(`flags/${part(flag.project)}/${part(name)}`);
  }, field(flagActionText.newName, text('name', '', { required: true, spellcheck: 'false' })));
}

/** Where a review is needed, a change of the whole flag is proposed in one environment of its project. */
function whole(flag, { rules, done }, change, title, action, danger = false) {
  const reviewed = [...rules].find(([, rule]) => rule.reviewed)?.[0];
  const environment = reviewed ?? flag.environments[0]?.name;
  confirmChange({
    at: { project: flag.project, flag: flag.name, environment }, changes: [change], rules, title, action, danger,
    done: (request) => (request || change.action !== 'archiveFeature' ? done(request) : go('flags')),
  });
}

async function depend(flag, edit) {
  const names = await get(`${pathOf(flag)}/parents`);
  const parent = flag.dependencies[0];
  askForm(flagActionText.dependTitle(flag.name), flagActionText.next, async (data) => {
    const feature = data.get('feature');
    const variants = String(data.get('variants') ?? '').split(',').map((one) => one.trim()).filter(Boolean);
    const change = feature ? { action: 'addDependency', payload: { feature, enabled: data.get('state') !== 'off', ...(variants.length && data.get('state') !== 'off' ? { variants } : {}) } } : { action: 'deleteDependency', payload: null };
    setTimeout(() => whole(flag, edit, change, flagActionText.dependTitle(flag.name), flagActionText.save));
  }, field(flagActionText.parent, select('feature', [['', flagActionText.nobody], ...names.map((name) => [name, name])], parent?.feature)),
  field(flagActionText.parentState, select('state', Object.entries(flagActionText.states), parent?.enabled === false ? 'off' : 'on')),
  field(flagActionText.parentVariants, text('variants', (parent?.variants ?? []).join(', ')), { hint: flagActionText.parentVariantsHint }));
}

/** The buttons of a flag; `edit` has the rules of its project and what is done after a change. */
export function actionsOf(flag, edit) {
  const { project } = flag;
  const button = (words, act) => h('button', { type: 'button', onclick: act }, words);
  const revive = async () => {
    await post(`archive/revive/${part(flag.name)}`, {});
    await show();
  };
  if (flag.archived) return may('DELETE_FEATURE', project) ? [button(flagActionText.revive, revive)] : [];
  return [
    may('UPDATE_FEATURE', project) && button(flagActionText.edit, () => describe(flag)),
    button(flagActionText.depend, () => depend(flag, edit)),
    may('CREATE_FEATURE', project) && button(flagActionText.copy, () => copy(flag)),
    button(flagActionText.archive, () => whole(flag, edit, { action: 'archiveFeature', payload: {} }, flagActionText.archiveQuestion(flag.name), flagActionText.archive, true)),
  ];
}
