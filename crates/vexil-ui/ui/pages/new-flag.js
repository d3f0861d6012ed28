// A flag is made: its name, what it is for, and where it belongs.

import { h } from '../core/element.js';
import { get, may, part, post } from '../core/api.js';
import { go, heading, link } from '../core/router.js';
import { area, check, field, form, select, text } from '../form/form.js';
import { commonText, frameText, kindText, newFlagText } from '../text.js';

export async function page({ query, signal }) {
  const { projects } = await get('projects', { signal });
  const where = projects.filter((one) => may('CREATE_FEATURE', one.id));
  const made = form({
    save: async (data) => {
      const name = String(data.get('name')).trim(), project = data.get('project');
      await post(`projects/${part(project)}/features`, { name, type: data.get('type'), description: data.get('description'), impressionData: data.has('impressionData') });
      go(`flags/${part(project)}/${part(name)}`, { force: true });
    },
    buttons: [link('flags', { class: 'button' }, commonText.cancel), h('button', { type: 'submit', class: 'primary' }, newFlagText.submit)],
  },
  field(newFlagText.name, text('name', '', { required: true, maxlength: 100, spellcheck: 'false', autocapitalize: 'none' }), { hint: newFlagText.nameHint }),
  field(newFlagText.project, select('project', where.map((one) => [one.id, one.name]), query.get('project') ?? 'default')),
  field(newFlagText.type, select('type', Object.entries(kindText), 'release'), { hint: newFlagText.typeHint }),
  field(newFlagText.description, area('description')), check('impressionData', newFlagText.impressionData, false));
  return [
    h('nav', { class: 'crumbs', 'aria-label': commonText.youAreHere }, link('flags', null, frameText.places.flags)), h('div', { class: 'title' }, heading(newFlagText.title)),
    h('section', { class: 'card' }, where.length ? made : h('p', null, newFlagText.mayNot)),
  ];
}
