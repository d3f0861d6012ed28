// Combinations of values, put together where every flag comes out alike, and told as few boxes. Pure: no document, no server.

/** Beyond this many cells of atoms boxes are not looked for; the group is told by its size. */
const MOST_ATOMS = 4096;

/** All combinations of the values of some fields, numbered with the last field running fastest. */
export function gridOf(fields) {
  const sizes = fields.map((field) => field.values.length);
  const strides = stridesOf(sizes);
  const total = product(sizes);
  const at = (number, field) => Math.floor(number / strides[field]) % sizes[field];
  const context = (number) => Object.fromEntries(fields.map((field, index) => [field.name, field.values[at(number, index)]]));
  return { fields, sizes, strides, total, at, context };
}

const product = (sizes) => sizes.reduce((all, size) => all * size, 1);
const stridesOf = (sizes) => sizes.map((_, index) => product(sizes.slice(index + 1)));

/**
 * Columns of a matrix: the combinations that each stands for, whether anything changes there, and in which boxes they lie.
 * A flag has `of`, which gives the place of each combination's outcome in `outcomes`. Where two sides are compared, what does
 * not change is one outcome, whatever it is: groups would multiply for differences that nobody asked about.
 */
export function columnsOf(flags, grid, { grouped, compares }) {
  const changed = (number) => flags.some((flag) => flag.outcomes[flag.of[number]].kind !== 'unchanged');
  const numbers = Array.from({ length: grid.total }, (_, number) => number);
  if (!grouped) return numbers.map((number) => ({ members: [number], changed: changed(number), boxes: null }));
  const ids = idsOf(flags, grid.total, compares);
  const groups = new Map();
  for (const number of numbers) (groups.get(ids[number]) ?? groups.set(ids[number], []).get(ids[number])).push(number);
  const atoms = atomsOf(ids, grid);
  const columns = [...groups.values()].map((members) => ({ members, changed: changed(members[0]), boxes: boxesOf(ids, ids[members[0]], atoms, grid) }));
  return columns.sort((a, b) => Number(b.changed) - Number(a.changed) || b.members.length - a.members.length);
}

/** For each combination a number that it shares with those for which every flag comes out alike. */
function idsOf(flags, total, compares) {
  const ids = new Uint32Array(total);
  let groups = 1;
  for (const flag of flags) {
    const plain = Uint32Array.from(flag.outcomes, (outcome, place) => (compares && outcome.kind === 'unchanged' ? 0 : place + 1));
    const width = plain.length + 1;
    // by group so far and outcome: the number of the group that the two make, from 1
    const seen = new Uint32Array(groups * width);
    groups = 0;
    for (let number = 0; number < total; number++) {
      const key = ids[number] * width + plain[flag.of[number]];
      ids[number] = (seen[key] ||= ++groups) - 1;
    }
  }
  return ids;
}

/** For each field, its values put together where nothing tells them apart; as lists of places. */
function atomsOf(ids, grid) {
  return grid.fields.map((_, field) => {
    const slices = new Map();
    const stride = grid.strides[field], size = grid.sizes[field];
    for (let place = 0; place < size; place++) {
      const slice = [];
      for (let number = 0; number < grid.total; number++) if (Math.floor(number / stride) % size === place) slice.push(ids[number]);
      const text = slice.join();
      (slices.get(text) ?? slices.set(text, []).get(text)).push(place);
    }
    return [...slices.values()];
  });
}

function permutations(list) {
  if (list.length < 2 || list.length > 4) return [list];
  return list.flatMap((one, index) => permutations([...list.slice(0, index), ...list.slice(index + 1)]).map((rest) => [one, ...rest]));
}

/**
 * The combinations with `id` as few boxes, each a list of conditions on fields: a greedy cover, in which every box is grown as
 * far as it stays inside, in several orders of the fields. A later box leaves out what earlier ones cover. Null if it is too much.
 */
function boxesOf(ids, id, atoms, grid) {
  const sizes = atoms.map((list) => list.length);
  if (product(sizes) > MOST_ATOMS) return null;
  const strides = stridesOf(sizes);
  const cells = Array.from({ length: product(sizes) }, (_, index) => sizes.map((size, field) => Math.floor(index / strides[field]) % size));
  const inside = cells.map((cell) => ids[cell.reduce((sum, atom, field) => sum + atoms[field][atom][0] * grid.strides[field], 0)] === id);
  const left = new Set(inside.flatMap((is, index) => (is ? [index] : [])));
  const covered = (box) => box.reduce((list, chosen, field) => list.flatMap((start) => chosen.map((atom) => start + atom * strides[field])), [0]);
  const grown = (seed, order) => {
    const box = seed.map((atom) => [atom]);
    for (const field of order) {
      for (let atom = 0; atom < sizes[field]; atom++) {
        if (!box[field].includes(atom) && covered(box.with(field, [atom])).every((index) => inside[index])) box[field].push(atom);
      }
    }
    return box;
  };
  const orders = permutations([...sizes.keys()]);
  const boxes = [];
  while (left.size) {
    const seed = cells[left.values().next().value];
    const tried = orders.map((order) => grown(seed, order));
    const best = tried.reduce((a, b) => (covered(b).length > covered(a).length ? b : a));
    const needed = best.map((chosen, field) => {
      if (chosen.length === sizes[field]) return chosen;
      const some = chosen.filter((atom) => covered(best.with(field, [atom])).some((index) => left.has(index)));
      return some.length ? some : chosen;
    });
    covered(needed).forEach((index) => left.delete(index));
    boxes.push(conditions(needed, atoms, grid));
  }
  return boxes;
}

/** A box in terms of values: those that a field must have, or, where that is shorter, must not have. */
function conditions(box, atoms, grid) {
  return grid.fields.flatMap(({ name, values }, field) => {
    const places = new Set(box[field].flatMap((atom) => atoms[field][atom]));
    if (places.size === values.length) return [];
    const others = values.filter((_, place) => !places.has(place));
    const except = others.length < 3 && places.size > others.length + 1;
    return [{ field: name, except, values: except ? others : values.filter((_, place) => places.has(place)) }];
  });
}
