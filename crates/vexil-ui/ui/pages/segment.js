// A segment is made or changed: its conditions, and what the change would do where it is used.

import { code, fill, h } from '../core/element.js';
import { Refused, get, may, optional, part, post } from '../core/api.js';
import { go, heading, holdUnsaved, link } from '../core/router.js';
import { constraints } from '../form/constraints.js';
import { area, field, form, select, text } from '../form/form.js';
import { effect } from '../edit/effect.js';
import { finish } from '../edit/save.js';
import { askRemove } from '../settings/frame.js';
import { commonText, segmentText, segmentsText } from '../text.js';

const LATER = 400;

/** The places where the strategies of a segment are: project and environment. */
function placesOf(used) {
  const found = new Map();
  for (const one of used) found.set(`${one.projectId} ${one.environment}`, { project: one.projectId, environment: one.environment, flag: one.featureName });
  return [...found.values()];
}

export async function page({ params: { id }, query, signal }) {
  const fresh = id === 'new';
  const [segment, fields, used] = await Promise.all([
    fresh ? { name: '', description: '', constraints: [] } : get(`segments/${part(id)}`, { signal }), get('context', { signal }), fresh ? null : optional(get(`segments/${part(id)}/strategies`, { signal })),
  ]);
  const strategies = used?.strategies ?? [];
  const places = placesOf(strategies);
  let dirty = false, waiting = 0, shown = null;
  const change = () => {
    dirty = true;
    clearTimeout(waiting);
    waiting = setTimeout(() => shown?.run(), LATER);
  };
  const name = text('name', segment.name, { required: true, oninput: change, spellcheck: 'false' });
  const description = area('description', segment.description ?? '', { oninput: change });
  const where = constraints({ given: segment.constraints, fields, change });
  const read = () => ({ name: name.value.trim(), description: description.value.trim(), constraints: where.constraints(), ...(segment.project ? { project: segment.project } : {}) });
  const changes = () => [{ action: 'updateSegment', payload: { id: Number(id), ...read() } }];
  const at = select('place', places.map((one, index) => [index, segmentText.place(one.project, one.environment)]), 0, { 'aria-label': segmentText.whichPlace, onchange: () => draw() });
  const does = h('section', { class: 'card does' });
  function draw() {
    if (!places.length) return;
    shown = effect(places[Number(at.value)], changes, { was: null, query, signal });
    fill(does, h('h2', null, segmentText.effect), places.length > 1 ? h('p', { class: 'pick' }, segmentText.whichPlace, ' ', at) : h('p', { class: 'hint' }, segmentText.place(places[0].project, places[0].environment)), shown.element);
  }
  draw();
  const direct = may(fresh ? 'CREATE_SEGMENT' : 'UPDATE_SEGMENT');
  const edited = form({
    save: async (_, how) => {
      if (fresh) await post('segments', read());
      else if (how === 'draft') {
        const request = await finish(places[Number(at.value)], changes(), 'draft');
        return go(`change-requests/${part(request.project)}/${request.id}`, { force: true });
      } else await finish({}, changes(), 'save');
      dirty = false;
      return go('segments', { force: true });
    },
    buttons: [link('segments', { class: 'button' }, commonText.cancel), places.length > 0 && h('button', { type: 'submit', value: 'draft' }, segmentText.toRequest), direct && h('button', { type: 'submit', value: 'save', class: 'primary' }, fresh ? segmentText.create : segmentText.save)],
  }, field(segmentText.name, name), field(segmentText.description, description), h('fieldset', null, h('legend', null, segmentText.conditions), h('p', { class: 'hint' }, segmentText.conditionsHint), where.element));
  holdUnsaved(() => dirty);
  const end = () => askRemove(segmentText.removeQuestion(segment.name), segmentText.removeHint, async () => {
    if (strategies.length) throw new Refused(409, { message: segmentText.inUse(strategies.length) });
    await finish({}, [{ action: 'deleteSegment', payload: { id: Number(id) } }], 'save');
    go('segments', { force: true });
  });
  const uses = strategies.map((one) => h('li', null, link(`flags/${part(one.projectId)}/${part(one.featureName)}`, null, code(one.featureName)), segmentText.usedIn(one.environment)));
  return [
    h('nav', { class: 'crumbs', 'aria-label': commonText.youAreHere }, link('segments', null, segmentsText.title)),
    h('div', { class: 'title' }, heading(fresh ? segmentsText.new : segment.name), !fresh && may('DELETE_SEGMENT') && h('div', { class: 'actions' }, h('button', { type: 'button', onclick: end }, segmentText.remove))),
    h('div', { class: 'editor' }, h('section', { class: 'card' }, edited), h('div', null, places.length > 0 && does, h('section', { class: 'card' }, h('h2', null, segmentText.uses), uses.length ? h('ul', { class: 'plain' }, uses) : h('p', { class: 'faint' }, segmentText.unused)))),
  ];
}
