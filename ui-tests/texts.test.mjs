// Every text stands in one module: no other file holds any, and none is left that nobody uses.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'acorn';

const root = process.env.VEXIL_UI_SOURCES;
const files = fs.readdirSync(root, { recursive: true }).filter((file) => file.endsWith('.js') && file !== 'text.js').map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]);
const texts = fs.readFileSync(path.join(root, 'text.js'), 'utf8');
const tree = (text) => parse(text, { ecmaVersion: 'latest', sourceType: 'module' });

/** Visits every node. */
function visit(node, see) {
  if (Array.isArray(node)) node.forEach((one) => visit(one, see));
  else if (node && typeof node === 'object' && typeof node.type === 'string') {
    see(node);
    for (const child of Object.values(node)) if (child && typeof child === 'object') visit(child, see);
  }
}

/** Attributes whose value is read by people. */
const READ = ['aria-label', 'placeholder', 'title', 'alt', 'label'];
/** Functions that make elements, with how many of their arguments come before what is read. */
const MAKERS = { h: 2, code: 0, strong: 0, hidden: 0, empty: 0, heading: 0, announce: 0, fill: 1, rowButton: 0, section: 2 };
/** Whether people would read it: a word, with letters in it. */
const isText = (value) => /[A-Za-zÀ-ž]{2,}/.test(value);

/** The texts that an expression can come out as. */
function textsIn(node) {
  switch (node?.type) {
    case 'Literal': return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral': return node.quasis.map((one) => one.value.cooked);
    case 'ArrayExpression': return node.elements.flatMap(textsIn);
    case 'ConditionalExpression': return [...textsIn(node.consequent), ...textsIn(node.alternate)];
    case 'LogicalExpression': return [...textsIn(node.left), ...textsIn(node.right)];
    default: return [];
  }
}

test('no other module holds a text', () => {
  const found = [];
  for (const [file, text] of files) {
    visit(tree(text), (node) => {
      const read = node.type === 'CallExpression' && node.callee.name in MAKERS ? node.arguments.slice(MAKERS[node.callee.name])
        : node.type === 'Property' && READ.includes(node.key.value ?? node.key.name) ? [node.value] : [];
      for (const value of read.flatMap(textsIn)) if (isText(value)) found.push(`${file}: “${value}”`);
    });
  }
  assert.deepEqual(found, []);
});

test('every text is used', () => {
  const all = files.map(([, text]) => text).join('\n');
  const unused = [];
  visit(tree(texts), (node) => {
    if (node.type !== 'VariableDeclarator') return;
    const block = node.id.name;
    if (!new RegExp(`\\b${block}\\b`).test(all)) unused.push(block);
    if (new RegExp(`\\b${block}\\[`).test(all)) return; // looked up by a name that is made
    for (const property of node.init.properties ?? []) {
      const key = property.key.name ?? property.key.value;
      if (!new RegExp(`\\b${block}\\??\\.${key}\\b`).test(all)) unused.push(`${block}.${key}`);
    }
  });
  assert.deepEqual(unused, []);
});

test('no text exclaims, blames or begs', () => {
  const found = [];
  visit(tree(texts), (node) => {
    const value = node.type === 'Literal' ? node.value : node.type === 'TemplateElement' ? node.value.cooked : null;
    if (typeof value === 'string' && /!|\bplease\b|\bsuccessfully\b|\boops\b|\binvalid input\b/i.test(value)) found.push(value);
  });
  assert.deepEqual(found, []);
});
