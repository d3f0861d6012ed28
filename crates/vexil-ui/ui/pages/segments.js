// Segments: named conditions that strategies share, and how much each is used.

import { h, joined } from '../core/element.js';
import { get, may } from '../core/api.js';
import { constraintWords } from '../core/words.js';
import { heading, link } from '../core/router.js';
import { empty } from '../core/notice.js';
import { segmentsText } from '../text.js';

/** More constraints than this are told by their number. */
const MOST_TOLD = 3;

function words(constraints) {
  if (!constraints.length) return segmentsText.everyone;
  const told = constraints.slice(0, MOST_TOLD).map((one) => h('span', null, constraintWords(one)));
  return [joined(told, segmentsText.and), constraints.length > told.length && segmentsText.more(constraints.length - told.length)];
}

export async function page({ signal }) {
  const { segments } = await get('segments', { signal });
  const filter = h('input', { type: 'search', placeholder: segmentsText.filter, 'aria-label': segmentsText.filter, 'data-filter': true, oninput: () => draw() });
  const body = h('tbody', null);
  const none = empty();
  const row = (segment) => h('tr', null,
    h('th', { scope: 'row' }, link(`segments/${segment.id}`, { class: 'name' }, segment.name), segment.project && h('span', { class: 'tag' }, segment.project), h('span', { class: 'description' }, segment.description)),
    h('td', null, h('span', { class: 'words' }, words(segment.constraints))), h('td', null, segmentsText.used(segment.usedInFeatures ?? 0, segment.usedInProjects ?? 0)));
  const table = h('table', { class: 'list segments-list' }, h('caption', { class: 'sr' }, segmentsText.title), h('thead', null, h('tr', null, segmentsText.columns.map((name) => h('th', { scope: 'col' }, name)))), body);
  function draw() {
    const wanted = filter.value.trim().toLowerCase();
    const found = segments.filter((one) => `${one.name} ${one.description ?? ''}`.toLowerCase().includes(wanted));
    body.replaceChildren(...found.map(row));
    table.hidden = !found.length;
    none.hidden = found.length > 0;
    none.textContent = segments.length ? segmentsText.noMatch : segmentsText.none;
  }
  draw();
  return [
    h('div', { class: 'title' }, heading(segmentsText.title), may('CREATE_SEGMENT') && h('div', { class: 'actions' }, link('segments/new', { class: 'button primary' }, segmentsText.new))),
    h('p', { class: 'lead' }, segmentsText.lead), h('div', { class: 'filters' }, filter), h('div', { class: 'card flush' }, table, none),
  ];
}
