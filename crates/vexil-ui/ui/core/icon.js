// Small pictures in the colour of the text. A word stands beside each, so they say nothing to those who hear the page.

import { h } from './element.js';

const SHAPES = {
  on: ['M8 2.4a5.6 5.6 0 1 0 0 11.2a5.6 5.6 0 1 0 0-11.2', 'fill'],
  off: ['M8 3.2a4.8 4.8 0 1 0 0 9.6a4.8 4.8 0 1 0 0-9.6', 'line'],
  unknown: ['M5.6 5.7a2.5 2.5 0 1 1 3.3 2.5c-.6.3-.9.7-.9 1.4M8 12.4v.2', 'line'],
  absent: ['M4 8h8', 'line'],
  unlike: ['M3 6h10M3 10h10M10.4 2.6L5.6 13.4', 'line'],
  arrow: ['M2 8h11M9.3 4.3L13 8l-3.7 3.7', 'line'],
  plus: ['M8 3.4v9.2M3.4 8h9.2', 'line'],
  minus: ['M3.4 8h9.2', 'line'],
  edit: ['M3 6.2c1.7-1.6 3.3-1.6 5 0s3.3 1.6 5 0M3 10.6c1.7-1.6 3.3-1.6 5 0s3.3 1.6 5 0', 'line'],
  check: ['M3.2 8.6l3.1 3.1l6.5-7', 'line'],
  cross: ['M4 4l8 8M12 4l-8 8', 'line'],
  up: ['M8 13V3.4M4 7.2L8 3.2l4 4', 'line'],
  down: ['M8 3v9.6M4 8.8l4 4l4-4', 'line'],
  vary: ['M8 2.6L13.4 8L8 13.4L2.6 8z', 'fill'],
  clock: ['M8 2.4a5.6 5.6 0 1 0 0 11.2a5.6 5.6 0 1 0 0-11.2M8 4.9V8l2.2 1.5', 'line'],
  swap: ['M3 5.6h9M9.6 3l2.6 2.6l-2.6 2.6M13 10.6H4M6.4 8L3.8 10.6l2.6 2.6', 'line'],
  link: ['M6.8 9.2l2.6-2.6M7.4 4.6l1-1a2.8 2.8 0 0 1 4 4l-1 1M8.6 11.4l-1 1a2.8 2.8 0 0 1-4-4l1-1', 'line'],
  menu: ['M2.5 4.5h11M2.5 8h11M2.5 11.5h11', 'line'],
  person: ['M8 2.6a2.7 2.7 0 1 0 0 5.4a2.7 2.7 0 1 0 0-5.4M2.9 13.6c.5-2.6 2.5-3.9 5.1-3.9s4.6 1.3 5.1 3.9', 'line'],
  next: ['M5.5 3.5L10 8l-4.5 4.5', 'line'],
  open: ['M3 4.5l3.5 3.5L3 11.5M8.5 11.5H13', 'line'],
  star: ['M8 1.9l1.9 3.9l4.3.6l-3.1 3l.7 4.3L8 11.7l-3.8 2l.7-4.3l-3.1-3l4.3-.6z', 'line'],
  previous: ['M10 3.5L5.5 8l4.5 4.5', 'line'],
};

export function icon(name) {
  const [path, kind] = SHAPES[name];
  return h('svg:svg', { class: `icon ${kind}`, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, h('svg:path', { d: path }));
}
