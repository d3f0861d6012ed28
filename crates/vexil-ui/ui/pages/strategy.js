// A strategy is made or changed: whom it is for, and beside that what the change would do, before it is saved.

import { code, h, strong } from '../core/element.js';
import { Refused, get, part } from '../core/api.js';
import { go, heading, holdUnsaved, link } from '../core/router.js';
import { constraints } from '../form/constraints.js';
import { field, form, select, text } from '../form/form.js';
import { isBuiltIn, kind, kindsFrom } from '../form/kinds.js';
import { segmentPicker } from '../form/segments.js';
import { variants } from '../form/variants.js';
import { finish, ruleNote, saveButtons } from '../edit/save.js';
import { effect } from '../edit/effect.js';
import { rulesOf } from '../edit/make.js';
import { commonText, frameText, strategyFormText } from '../text.js';

/** How long after the last change of a form the server is asked, in milliseconds. */
const LATER = 400;
const FRESH = { name: 'flexibleRollout', parameters: {}, constraints: [], segments: [], variants: [] };

/** The controls of a strategy; `read` gives what they say. */
function controls(given, { flag, fields, loadSegments, loadTypes, types: known, change }) {
  let types = known;
  /** Kinds of strategies that only applications know are asked for when somebody is about to choose. */
  async function more() {
    if (types.length) return;
    types = await loadTypes().catch(() => []);
    const chosen = name.value;
    name.replaceChildren(...kindsFrom(types, chosen).map(([value, words]) => h('option', { value, selected: value === chosen }, words)));
  }
  const title = text('title', given.title ?? '', { oninput: change, maxlength: 100 });
  const disabled = h('input', { type: 'checkbox', checked: given.disabled, onchange: change });
  const parameters = h('div', { class: 'parameters' });
  let shown = kind(given.name, types, { given: given.parameters, fields, flag, change });
  const name = select('name', kindsFrom(types, given.name), given.name, { onfocus: more, onpointerdown: more, onchange: () => {
    shown = kind(name.value, types, { given: name.value === given.name ? given.parameters : {}, fields, flag, change });
    parameters.replaceChildren(...shown.elements);
    change();
  } });
  parameters.append(...shown.elements);
  const where = constraints({ given: given.constraints, fields, change });
  const picked = segmentPicker({ load: loadSegments, given: given.segments ?? [], change });
  const shares = variants({ given: given.variants ?? [], stickiness: () => shown.stickiness(), change });
  const part = (legend, hint, element) => h('fieldset', null, h('legend', null, legend), hint && h('p', { class: 'hint' }, hint), element);
  return {
    elements: [
      field(strategyFormText.title, title, { hint: strategyFormText.titleHint }), field(strategyFormText.kind, name), parameters,
      part(strategyFormText.conditions, strategyFormText.conditionsHint, where.element), part(strategyFormText.segments, strategyFormText.segmentsHint, picked.element),
      part(strategyFormText.variants, strategyFormText.variantsHint, shares.element), h('label', { class: 'check' }, disabled, strategyFormText.disabled),
    ],
    read: () => ({ name: name.value, title: title.value.trim(), parameters: shown.parameters(), constraints: where.constraints(), segments: picked.ids(), variants: shares.variants(), disabled: disabled.checked }),
  };
}

export async function page({ params: { project, flag, environment, strategy: id }, query, signal }) {
  const at = { project, flag, environment };
  const fresh = id === 'new';
  const [found, fields, rules] = await Promise.all([
    get(`projects/${part(project)}/features/${part(flag)}/environments/${part(environment)}`, { signal }), get('context', { signal }), rulesOf(project, signal),
  ]);
  const loadTypes = async () => (await get('strategies', { signal })).strategies;
  const loadSegments = async () => (await get('segments', { signal })).segments.filter((one) => !one.project || one.project === project);
  const given = fresh ? FRESH : found.strategies.find((one) => one.id === id);
  if (!given) throw new Refused(404, { message: strategyFormText.gone });
  const action = fresh ? 'addStrategy' : 'updateStrategy';
  let dirty = false, waiting = 0;
  const read = () => [{ action, payload: fresh ? made.read() : { id, ...made.read() } }];
  const change = () => {
    dirty = true;
    clearTimeout(waiting);
    waiting = setTimeout(() => shown.run(), LATER);
  };
  const made = controls(given, { flag, fields, loadSegments, loadTypes, types: isBuiltIn(given.name) ? [] : await loadTypes(), change });
  const back = `flags/${part(project)}/${part(flag)}`;
  const edited = form({
    save: async (_, how) => {
      const request = await finish(at, read(), how);
      dirty = false;
      go(request ? `${back}?draft=${request.id}` : back, { force: true });
    },
    buttons: [link(back, { class: 'button' }, commonText.cancel), saveButtons(at, action, rules)],
  }, ruleNote(at, action, rules), made.elements);
  const shown = effect(at, read, { was: fresh ? null : given, query, signal });
  holdUnsaved(() => dirty);
  return [
    h('nav', { class: 'crumbs', 'aria-label': commonText.youAreHere }, link('flags', null, frameText.places.flags), ' / ', link(back, null, flag), ' / ', h('span', null, environment)),
    h('div', { class: 'title' }, heading(fresh ? strategyFormText.new : given.title || strategyFormText.edit)),
    h('p', { class: 'lead' }, strategyFormText.of(code(flag), strong(environment), found.enabled)),
    h('div', { class: 'editor' }, h('section', { class: 'card' }, edited), h('section', { class: 'card does' }, h('h2', null, strategyFormText.effect), shown.element)),
  ];
}

