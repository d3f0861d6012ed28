// What breaks a layout: something beyond the edge, text that is cut off or stands letter below letter, texts that lie on each other.

import { check } from './harness.mjs';

/** Runs in the page: every break, in words. */
function breaks() {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth + 1) found.push(`the page scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);
  const dialog = document.querySelector('dialog[open]') ?? document.querySelector('[popover]:popover-open');
  const scope = dialog ?? document.body;
  const told = (element) => `${element.tagName.toLowerCase()}.${String(element.getAttribute('class') ?? '').replaceAll(' ', '.')} “${(element.textContent ?? '').trim().slice(0, 40)}”`;
  const style = (element) => getComputedStyle(element);
  const hidden = (element) => element.closest('.sr, .skip, [hidden], svg, datalist, option, select, .list thead, .swapped thead, .effect-table thead') || !element.checkVisibility({ visibilityProperty: true, opacityProperty: false });
  const scrolls = (element) => {
    for (let one = element; one && one !== scope.parentElement; one = one.parentElement) if (['auto', 'scroll'].includes(style(one).overflowX) && one.scrollWidth > one.clientWidth + 1) return one.getBoundingClientRect();
    return null;
  };
  const texts = [];
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.nodeValue.trim() || hidden(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) continue;
      const clip = scrolls(element);
      // what is scrolled out of sight lies on nothing
      if (clip && (box.left > clip.right - 2 || box.right < clip.left + 2)) continue;
      if (!clip && (box.right > root.clientWidth + 1 || box.left < -1)) found.push(`beyond the edge: ${told(element)}`);
      texts.push({ box: clip ? new DOMRect(Math.max(box.left, clip.left), box.top, Math.min(box.right, clip.right) - Math.max(box.left, clip.left), box.height) : box, element, node });
    }
    const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
    if (lines > 2 && node.nodeValue.trim().length < 3 * lines) found.push(`letter below letter: ${told(element)}`);
    const cut = element.closest('*');
    for (let one = cut; one && one !== scope; one = one.parentElement) {
      const { overflowX, textOverflow } = style(one);
      if (['hidden', 'clip'].includes(overflowX) && textOverflow !== 'ellipsis' && one.scrollWidth > one.clientWidth + 2 && style(one).display !== 'inline') {
        found.push(`cut off: ${told(one)}`);
        break;
      }
    }
  }
  const header = document.querySelector('#top');
  texts.sort((a, b) => a.box.top - b.box.top);
  for (let i = 0; i < texts.length; i++) {
    const a = texts[i];
    for (let j = i + 1; j < texts.length && texts[j].box.top < a.box.bottom - 3; j++) {
      const b = texts[j];
      if (a.node === b.node || a.element.contains(b.element) !== b.element.contains(a.element) && (a.element.contains(b.element) || b.element.contains(a.element))) continue;
      if (header.contains(a.element) !== header.contains(b.element)) continue;
      const sticky = [a, b].some(({ element }) => element.closest('.corner, tbody .flag, .twin thead'));
      if (sticky) continue;
      const width = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const height = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (width > 2 && height > 4) found.push(`on each other: ${told(a.element)} and ${told(b.element)}`);
    }
  }
  return [...new Set(found)];
}

/** Checks the page as it is now. */
export async function unbroken(page, name) {
  const found = await page.evaluate(breaks);
  check(`${name}: the layout holds`, found.length === 0, found.slice(0, 5).join(' | '));
}

/** Every control can be hit: 24 pixels at least in both directions, but for links within sentences. */
export async function reachable(page, name) {
  const small = await page.evaluate(() => [...document.querySelectorAll('#main button, #main select, #main input:not([type="checkbox"]), #top button, #top a')].filter((one) => one.checkVisibility() && one.tabIndex >= 0).flatMap((one) => {
    const { width, height } = one.getBoundingClientRect();
    return width < 23.5 || height < 23.5 ? [`${one.tagName} “${(one.textContent || one.getAttribute('aria-label') || '').trim().slice(0, 30)}” ${Math.round(width)}×${Math.round(height)}`] : [];
  }));
  check(`${name}: every control is large enough`, small.length === 0, small.slice(0, 5).join(' | '));
}
