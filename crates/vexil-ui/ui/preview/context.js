// Contexts: which fields stand where in a request, and how values are written into addresses.

/** The fields that stand at the top level of a context; all others are properties. */
export const TOP = ['userId', 'sessionId', 'remoteAddress', 'environment', 'currentTime', 'appName'];
/** The application that contexts come from where nobody names one. */
const APP = 'playground';

const place = (context, name, value) => {
  (TOP.includes(name) ? context : context.properties)[name] = value;
};

/** The form of a request: the values of a field joined by commas, the empty one meaning unset. */
export function contextOf(fields) {
  const context = { appName: APP, properties: {} };
  for (const { name, values } of fields) place(context, name, values.join(','));
  return context;
}

/** One context, without what is unset. */
export function oneContext(values) {
  const context = { appName: APP, properties: {} };
  for (const [name, value] of Object.entries(values)) if (value !== '') place(context, name, value);
  return context;
}

/** The values in an address, `c.FIELD=value` each. */
export function fieldsOf(query) {
  const fields = new Map();
  for (const [key, text] of query) {
    if (key.startsWith('c.') && key.length > 2) (fields.get(key.slice(2)) ?? fields.set(key.slice(2), []).get(key.slice(2))).push(text);
  }
  return [...fields].map(([name, values]) => ({ name, values: [...new Set(values)] }));
}
