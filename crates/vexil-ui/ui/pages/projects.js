// Projects: who owns which flags, and where changes are reviewed.

import { h } from '../core/element.js';
import { get, may, part, post } from '../core/api.js';
import { go, link } from '../core/router.js';
import { askForm } from '../form/ask.js';
import { area, field, text } from '../form/form.js';
import { section, table } from '../settings/frame.js';
import { projectsText } from '../text.js';

/** An id made of a name: letters, digits and dashes. */
const idOf = (name) => name.trim().toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');

function create() {
  const id = text('id', '', { required: true, spellcheck: 'false', autocapitalize: 'none' });
  let own = false;
  id.addEventListener('input', () => { own = true; });
  const name = text('name', '', { required: true, oninput: () => { if (!own) id.value = idOf(name.value); } });
  askForm(projectsText.new, projectsText.create, async (data) => {
    await post('projects', { id: data.get('id'), name: data.get('name'), description: data.get('description') });
    go(`settings/projects/${part(data.get('id'))}`);
  }, field(projectsText.name, name), field(projectsText.id, id, { hint: projectsText.idHint }), field(projectsText.description, area('description')));
}

export async function page({ signal }) {
  const { projects } = await get('projects', { signal });
  const rows = projects.map((one) => [[link(`settings/projects/${part(one.id)}`, { class: 'name prose' }, one.name), h('span', { class: 'description' }, one.description)], h('code', null, one.id), projectsText.flags(one.featureCount)]);
  return section('projects', may('CREATE_PROJECT') && h('button', { type: 'button', class: 'primary', onclick: create }, projectsText.new), table(projectsText.title, projectsText.columns, rows));
}
