// The matrix: flags against contexts, as a grid that is one stop for the keyboard.

import { fill, h } from '../core/element.js';
import { icon } from '../core/icon.js';
import { part } from '../core/api.js';
import { value } from '../core/words.js';
import { loading } from '../core/notice.js';
import { link } from '../core/router.js';
import { choices } from '../core/frame.js';
import { columnsOf, gridOf } from './grid.js';
import { cellOf } from './outcome.js';
import { sizeOf, whom } from './whom.js';
import { wire } from './roving.js';
import { matrixText, whomText } from '../text.js';

const MOST_COLUMNS = 240;
/** More cells than this are drawn only when somebody asks for more flags. */
const MOST_CELLS = 400;

/** Whether contexts fit better as rows than as columns. */
function fitsBetter(flags, columns, width) {
  if (width < 700) return true;
  const upright = 170 + columns.length * 150, swapped = 220 + flags.length * 130;
  return upright > width && (swapped <= width || flags.length <= columns.length);
}

/** The head cells of one combination, each over as many as share its values. */
function spans(grid, columns, place, span, scope, only) {
  const alike = (a, b, field) => grid.fields.slice(0, field + 1).every((_, one) => grid.at(columns[a].members[0], one) === grid.at(columns[b].members[0], one));
  return grid.fields.flatMap((_, field) => {
    if ((only !== undefined && field !== only) || (place > 0 && alike(place - 1, place, field))) return [];
    let length = 1;
    while (place + length < columns.length && alike(place, place + length, field)) length++;
    return [h('th', { scope: length > 1 ? `${scope}group` : scope, [span]: length, class: 'context' }, value(grid.fields[field].values[grid.at(columns[place].members[0], field)]))];
  });
}

export function matrix(set, source, { write, explained, why }) {
  const element = h('div', { class: 'matrix' }, loading(5));
  let all = false, most = 0;

  const again = (selector) => {
    draw();
    element.querySelector(selector)?.focus();
  };

  function tools(many, swapped) {
    const how = choices(matrixText.columns, Object.entries(matrixText.how), set.grouped ? 'grouped' : 'each', (chosen) => {
      set.grouped = chosen === 'grouped';
      write();
      again('.tools [aria-pressed="true"]');
    });
    const swap = () => {
      set.swapped = !swapped;
      write();
      again('.swap');
    };
    return h('div', { class: 'tools' }, h('h3', null, set.result.title), many && how,
      h('button', { type: 'button', class: 'quiet swap', 'aria-pressed': String(swapped), onclick: swap }, icon('swap'), matrixText.swap));
  }

  function flagHead(flag, scope) {
    return h('th', { scope, role: scope === 'col' ? 'columnheader' : 'rowheader', class: 'flag' },
      link(`flags/${part(flag.project ?? source.project)}/${part(flag.name)}`, { tabindex: '-1' }, flag.name), flag.told?.length > 0 && h('span', { class: 'told' }, flag.told));
  }

  function table(flags, columns, grid, swapped) {
    const same = columns.filter((column) => !column.changed);
    const rest = (column) => set.grouped && !column.changed && same.length === 1 && columns.length > 1 && (column.boxes?.length ?? 2) > 1 && whomText.rest;
    const headOf = (column) => [h('span', { class: 'whom' }, whom(column, grid, rest(column))), set.grouped && grid.total > 1 && sizeOf(column, grid)];
    const cell = (flag, column, row, place) => {
      const outcomes = set.grouped ? column.members.map((number) => flag.outcomes[flag.of[number]]) : [flag.outcomes[flag.of[column.members[0]]]];
      const { kind } = outcomes[0];
      return h('td', { role: 'gridcell', class: `cell ${kind === 'unchanged' || source.arrow ? kind : 'differs'}`, tabindex: '-1', 'data-row': row, 'data-column': place, 'data-flag': flag.name, 'aria-selected': 'false' }, cellOf(outcomes, source));
    };
    const drawn = h('table', { class: `grid${set.grouped ? '' : ' each'}${swapped ? ' swapped' : ''}`, role: 'grid', 'aria-label': matrixText.label(set.result.title, source.sides) });
    if (swapped) {
      const heads = set.grouped ? [h('th', { scope: 'col' }, matrixText.who)] : grid.fields.map((field) => h('th', { scope: 'col', class: 'field' }, field.name));
      drawn.append(h('thead', null, h('tr', null, heads, flags.map((flag) => flagHead(flag, 'col')))),
        h('tbody', null, columns.map((column, place) => h('tr', { role: 'row' },
          set.grouped ? h('th', { scope: 'row', role: 'rowheader', class: 'head' }, headOf(column)) : spans(grid, columns, place, 'rowspan', 'row'),
          flags.map((flag, row) => cell(flag, column, place, row))))));
    } else {
      const heads = set.grouped ? [h('tr', null, h('th', { scope: 'col', class: 'corner' }, matrixText.flag), columns.map((column) => h('th', { scope: 'col', class: 'head' }, headOf(column))))]
        : grid.fields.map((field, index) => h('tr', null, h('th', { scope: 'row', class: 'corner field' }, field.name), columns.flatMap((_, place) => spans(grid, columns, place, 'colspan', 'col', index))));
      drawn.append(h('thead', null, heads), h('tbody', null, flags.map((flag, row) => h('tr', null, flagHead(flag, 'row'), columns.map((column, place) => cell(flag, column, row, place))))));
    }
    return drawn;
  }

  function folded() {
    const { others } = set.result;
    if (!others.count) return null;
    const unfold = () => {
      all = !all;
      again('.folded button');
    };
    return h('p', { class: 'folded' }, icon('off'), others.words, others.flags && h('button', { type: 'button', class: 'quiet', 'aria-expanded': String(all), onclick: unfold }, all ? matrixText.fold : matrixText.unfold));
  }

  /** Draws the result; `width` is how wide the matrix may become. */
  function draw(width = element.clientWidth) {
    const { result } = set;
    if (result.text) {
      why.hidden = true;
      return fill(element, result.text);
    }
    why.hidden = false;
    const flags = all && result.others.flags ? [...result.flags, ...result.others.flags] : result.flags;
    const grid = gridOf(set.fields);
    if (!flags.length) {
      why.hidden = true;
      return fill(element, h('div', { class: 'empty' }, result.nothing), folded());
    }
    const found = columnsOf(flags, grid, { grouped: set.grouped, compares: source.sides.length > 1 });
    const columns = found.slice(0, MOST_COLUMNS);
    most = Math.max(most, Math.max(1, Math.floor(MOST_CELLS / columns.length)));
    const shown = flags.slice(0, most);
    const swapped = set.swapped ?? fitsBetter(shown, columns, width);
    const drawn = table(shown, columns, grid, swapped);
    const more = () => {
      most += Math.max(10, Math.floor(MOST_CELLS / columns.length));
      again('.more-flags button');
    };
    fill(element, tools(grid.total > 1, swapped), h('div', { class: 'scroll' }, drawn),
      found.length > columns.length && h('p', { class: 'hint' }, set.grouped ? matrixText.cutGroups(columns.length, found.length) : matrixText.cut(columns.length, found.length)),
      flags.length > shown.length && h('p', { class: 'folded more-flags' }, matrixText.cutFlags(shown.length, flags.length), h('button', { type: 'button', class: 'quiet', onclick: more }, matrixText.moreFlags)), folded());
    wire(drawn, why, {
      parts: (row, place) => (swapped ? [shown[place], columns[row]] : [shown[row], columns[place]]),
      rows: swapped ? columns.length : shown.length, columns: swapped ? shown.length : columns.length,
      wanted: set.cell, isShown: explained.isShown,
      choose: (flag, column, wait, chosen) => {
        set.cell = { flag: flag.name, first: column.members[0] };
        explained.show(flag, column, grid, wait, chosen);
      },
    });
  }

  return { element, draw, clear: () => fill(element) };
}
