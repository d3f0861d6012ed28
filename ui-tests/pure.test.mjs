// The modules that touch no document, against laws: boxes hold exactly their combinations, weights add up, addresses come back.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const source = (path) => import(pathToFileURL(`${process.env.VEXIL_UI_SOURCES}/${path}`).href);
const { columnsOf, gridOf } = await source('preview/grid.js');
const { seen } = await source('core/element.js');
const { WHOLE, distributed, faultOf } = await source('form/weights.js');
const { contextOf, fieldsOf, oneContext } = await source('preview/context.js');

/** Numbers that look random and are the same each time (a linear congruential generator). */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function sample(draw) {
  const fields = Array.from({ length: 1 + draw(3) }, (_, index) => ({ name: `f${index}`, values: Array.from({ length: 1 + draw(5) }, (_, place) => `v${place}`) }));
  const grid = gridOf(fields);
  const flags = Array.from({ length: 1 + draw(3) }, (_, index) => {
    const field = draw(fields.length), pick = draw(fields[field].values.length), other = draw(fields.length);
    const outcomes = [{ kind: 'unchanged' }, { kind: 'offToOn' }, { kind: 'onToOff' }];
    return { name: `x${index}`, outcomes, of: Uint16Array.from({ length: grid.total }, (_, number) => (grid.at(number, field) === pick ? 1 : grid.at(number, other) === 0 ? 2 : 0)) };
  });
  return { grid, flags };
}

/** Whether a combination lies in a box, by what the box says. */
const inside = (box, context) => box.every(({ field, except, values }) => values.includes(context[field]) !== except);

test('every combination is in one column, and the outcomes of a column are alike', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const { grid, flags } = sample(numbers(seed));
    const columns = columnsOf(flags, grid, { grouped: true, compares: true });
    const members = columns.flatMap((column) => column.members).sort((a, b) => a - b);
    assert.deepEqual(members, Array.from({ length: grid.total }, (_, number) => number), `seed ${seed}`);
    for (const column of columns) for (const flag of flags) assert.equal(new Set(column.members.map((number) => flag.outcomes[flag.of[number]].kind)).size, 1, `seed ${seed}`);
  }
});

test('the boxes of a column hold exactly its combinations', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const { grid, flags } = sample(numbers(seed));
    for (const { members, boxes } of columnsOf(flags, grid, { grouped: true, compares: true })) {
      const held = Array.from({ length: grid.total }, (_, number) => number).filter((number) => boxes.some((box) => inside(box, grid.context(number))));
      assert.deepEqual(held, [...members].sort((a, b) => a - b), `seed ${seed}`);
    }
  }
});

test('ungrouped, each combination is a column, in its order', () => {
  const { grid, flags } = sample(numbers(5));
  assert.deepEqual(columnsOf(flags, grid, { grouped: false, compares: true }).map((column) => column.members), Array.from({ length: grid.total }, (_, number) => [number]));
});

test('combinations are numbered with the last field running fastest', () => {
  const grid = gridOf([{ name: 'a', values: ['1', '2'] }, { name: 'b', values: ['x', 'y', 'z'] }]);
  assert.equal(grid.total, 6);
  assert.deepEqual(grid.context(0), { a: '1', b: 'x' });
  assert.deepEqual(grid.context(2), { a: '1', b: 'z' });
  assert.deepEqual(grid.context(3), { a: '2', b: 'x' });
});

test('weights always add up to the whole where somebody shares', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const draw = numbers(seed);
    const variants = Array.from({ length: 1 + draw(7) }, (_, index) => ({ name: `v${index}`, weight: draw(200), weightType: index > 0 && draw(2) ? 'fix' : 'variable' }));
    const shared = distributed(variants);
    const fixed = variants.filter((one) => one.weightType === 'fix').reduce((sum, one) => sum + one.weight, 0);
    if (fixed <= WHOLE) assert.equal(shared.reduce((sum, one) => sum + one.weight, 0), WHOLE, `seed ${seed}`);
    shared.forEach((one, index) => one.weightType === 'fix' && assert.equal(one.weight, variants[index].weight));
    const sharing = shared.filter((one) => one.weightType !== 'fix').map((one) => one.weight);
    assert.ok(Math.max(...sharing) - Math.min(...sharing) <= 1);
  }
});

test('three that share get 33.4, 33.3 and 33.3 percent', () => {
  assert.deepEqual(distributed([{}, {}, {}]).map((one) => one.weight), [334, 333, 333]);
});

test('too much that is fixed, and nobody who shares, are faults', () => {
  const fix = (weight) => ({ weight, weightType: 'fix' });
  assert.equal(faultOf([]), null);
  assert.equal(faultOf([fix(700), fix(400), {}]), 'over');
  assert.equal(faultOf([fix(500), fix(500)]), 'noneShares');
  assert.equal(faultOf([fix(500), {}]), null);
});

test('values in an address come back as they were, however strange', () => {
  const query = new URLSearchParams();
  for (const [name, value] of [['country', 'NO'], ['country', ''], ['a&b=c', 'x&y'], ['userId', '<b>'], ['country', 'NO']]) query.append(`c.${name}`, value);
  query.append('each', '');
  assert.deepEqual(fieldsOf(new URLSearchParams(query.toString())), [{ name: 'country', values: ['NO', ''] }, { name: 'a&b=c', values: ['x&y'] }, { name: 'userId', values: ['<b>'] }]);
});

test('named fields stand at the top of a context, all others are properties', () => {
  assert.deepEqual(contextOf([{ name: 'userId', values: ['a', ''] }, { name: 'plan', values: ['pro'] }]), { appName: 'playground', userId: 'a,', properties: { plan: 'pro' } });
  assert.deepEqual(oneContext({ userId: '', plan: 'pro', sessionId: 's' }), { appName: 'playground', sessionId: 's', properties: { plan: 'pro' } });
});

test('letters that cannot be seen are told from others as in the commands', () => {
  const { unseen, seen: others } = JSON.parse(fs.readFileSync(`${process.env.VEXIL_FIXTURES}/letters/unseen.json`, 'utf8'));
  const text = (code) => `a${String.fromCodePoint(Number.parseInt(code, 16))}b`;
  for (const code of unseen) assert.match(seen(text(code)), /^a\\(?:[nrt]|u\{[0-9a-f]+\})b$/, code);
  for (const code of others) assert.equal(seen(text(code)), text(code));
});
