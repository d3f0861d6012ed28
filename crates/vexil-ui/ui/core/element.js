// Elements. Text enters the document as text nodes only; there is no other way in this code.

const SVG = 'http://www.w3.org/2000/svg';

/** Letters that cannot be seen or look like a space: controls, marks of direction, what has no width. */
const UNSEEN = /((?! )[\p{C}\p{Z}\p{DI}\u2800])/gu;
const SHORT = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const written = (letter) => SHORT[letter] ?? `\\u{${letter.codePointAt(0).toString(16)}}`;

/** A text with the letters that cannot be seen written out, as `vexil` writes them. */
export const seen = (text) => String(text).replace(UNSEEN, written);

/** Attributes that are read by people. */
const READ = ['aria-label', 'title', 'placeholder', 'alt'];

/**
 * Children in a flat list, without what stands for nothing, and texts in letters that can be seen. `lines` says that lines of a text may
 * end.
 */
const present = (children, lines = false) => children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false)
  .flatMap((child) => (child instanceof Node ? child : String(child).split(UNSEEN).map((text, index) => (index % 2 && !(lines && text === '\n') ? h('span', { class: 'unseen' }, written(text)) : text))));

/**
 * An element with attributes and children. `onclick` and the like listen, `vars` sets custom properties of CSS, `true` is an
 * attribute without a value; null, undefined and false are left out, among attributes and children.
 * @param {string} tag @param {Record<string, any> | null} [attributes] @param {...any} children @returns {any}
 */
export function h(tag, attributes, ...children) {
  const element = tag.startsWith('svg:') ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'vars') for (const [key, set] of Object.entries(value)) /** @type {HTMLElement} */ (element).style.setProperty(`--${key}`, set);
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : READ.includes(name) ? seen(value) : String(value));
  }
  // what is typed into is what it is
  if (tag === 'textarea') element.textContent = children.join('');
  else element.append(...present(children, tag === 'pre' || attributes?.class === 'text'));
  return element;
}

/** Puts children in place of what an element holds. */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
}

/** The children with `between` between any two, and `last` before the last one. */
export const joined = (children, between = ', ', last = between) =>
  children.flatMap((child, index) => (index === 0 ? [child] : [index === children.length - 1 ? last : between, child]));

export const code = (text) => h('code', null, text);
export const strong = (...text) => h('b', null, text);
/** Text for those who hear the page. */
export const hidden = (...text) => h('span', { class: 'sr' }, text);

/** Says something to those who hear the page, once what they are at is finished. */
export function announce(text) {
  const region = document.querySelector('#live');
  if (region) fill(region, text);
}

/** An id that no other element of the document has. */
export const freshId = (() => {
  let last = 0;
  return () => `i${++last}`;
})();
