// Whom a column stands for, in words: its boxes, condition by condition.

import { h } from '../core/element.js';
import { count } from '../core/number.js';
import { commonText, whomText } from '../text.js';
import { values } from '../core/words.js';

/** How many boxes are told, and how many where there are more than that. */
const MOST_BOXES = 3;
const FEW_BOXES = 2;

/** Of many suggested values the number: their names say little. */
function valuesTold({ field, values: some }, grid) {
  const { suggested = [], values: all } = grid.fields.find((one) => one.name === field);
  const strange = some.filter((text) => suggested.includes(text)).length;
  if (some.length <= MOST_BOXES || strange < MOST_BOXES) return values(some, MOST_BOXES);
  return h('span', { class: 'sample', title: some.map((text) => text || commonText.unset).join(', ') }, whomText.tried(some.length, all.length));
}

export function whom(column, grid, rest) {
  if (rest) return h('span', { class: 'everyone' }, rest);
  if (!column.boxes) return h('span', { class: 'everyone' }, whomText.combinations(column.members.length));
  const everyone = grid.total === 1 ? whomText.noContext : whomText.all;
  const box = (conditions, index) => h('span', { class: 'box' }, index > 0 && h('span', { class: 'or' }, whomText.or),
    conditions.length ? conditions.map((one) => h('span', { class: 'condition' }, h('span', { class: 'field' }, one.field, one.except && whomText.not), ' ', valuesTold(one, grid))) : h('span', { class: 'everyone' }, everyone));
  const most = column.boxes.length > MOST_BOXES ? FEW_BOXES : MOST_BOXES;
  return [column.boxes.slice(0, most).map(box), column.boxes.length > most && h('span', { class: 'or' }, whomText.more(column.boxes.length - most))];
}

/** How many of all combinations tried a column stands for. */
export const sizeOf = (column, grid) => h('span', { class: 'size' }, whomText.of(count(column.members.length), count(grid.total)));
