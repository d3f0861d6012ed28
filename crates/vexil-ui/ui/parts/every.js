// Every combination of what changes would do that nobody has made yet: loaded when somebody wants to see it.

import { listed, strategiesAfter } from '../edit/effect.js';
import { fieldsOf } from '../preview/context.js';
import { differenceSource } from '../preview/difference.js';
import { preview } from '../preview/preview.js';

export function editPreview(at, changes, was, { query, signal }) {
  const is = new Map();
  const source = differenceSource({
    project: at.project, environment: at.environment, path: 'playground/changes', changes, was: new Map(was ? [[was.id, was]] : []), is,
    body: () => {
      is.clear();
      for (const [id, strategy] of strategiesAfter(changes())) is.set(id, strategy);
      return { project: at.project, environment: at.environment, changes: listed(at, changes()) };
    },
  });
  return preview(source, { query, signal, fields: fieldsOf(query) });
}
