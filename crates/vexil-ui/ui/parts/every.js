// Every combination of what changes would do that nobody has made yet: loaded when somebody wants to see it.

import { sourceOfEdit } from '../edit/effect.js';
import { fieldsOf } from '../preview/context.js';
import { differenceSource } from '../preview/difference.js';
import { preview } from '../preview/preview.js';

/** The strategies that changes would leave, by id. */
const strategiesAfter = (changes) => changes.filter(({ action }) => action === 'updateStrategy').map(({ payload }) => [payload.id, payload]);

export function editPreview(at, changes, was, { query, signal }) {
  const is = new Map();
  const asked = sourceOfEdit(at, changes);
  const source = differenceSource({
    project: at.project, environment: at.environment, path: asked.path, changes, was: new Map(was ? [[was.id, was]] : []), is,
    body: () => {
      is.clear();
      for (const [id, strategy] of strategiesAfter(changes())) is.set(id, strategy);
      return asked.body();
    },
  });
  return preview(source, { query, signal, fields: fieldsOf(query) });
}
