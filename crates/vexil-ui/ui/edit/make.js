// How a change is made: at once by the endpoint of its kind, or as a part of the person's draft.

import { get, may, part, post, put, remove } from '../core/api.js';

const flagPath = (at) => `projects/${part(at.project)}/features/${part(at.flag)}`;
const placePath = (at) => `${flagPath(at)}/environments/${part(at.environment)}`;

/** Per kind of change: the permission that it takes, and the request that makes it at once. */
const DIRECT = {
  updateEnabled: ['UPDATE_FEATURE_ENVIRONMENT', (at, { enabled, shouldActivateDisabledStrategies: all }) => post(`${placePath(at)}/${enabled ? `on${all ? '?shouldActivateDisabledStrategies=true' : ''}` : 'off'}`, {})],
  addStrategy: ['CREATE_FEATURE_STRATEGY', (at, payload) => post(`${placePath(at)}/strategies`, payload)],
  updateStrategy: ['UPDATE_FEATURE_STRATEGY', (at, { id, ...rest }) => put(`${placePath(at)}/strategies/${part(id)}`, rest)],
  deleteStrategy: ['DELETE_FEATURE_STRATEGY', (at, { id }) => remove(`${placePath(at)}/strategies/${part(id)}`)],
  reorderStrategy: ['UPDATE_FEATURE_STRATEGY', (at, payload) => post(`${placePath(at)}/strategies/set-sort-order`, payload)],
  patchVariant: ['UPDATE_FEATURE_ENVIRONMENT_VARIANTS', (at, { variants }) => put(`${placePath(at)}/variants`, variants)],
  addDependency: ['UPDATE_FEATURE_DEPENDENCY', (at, payload) => post(`${flagPath(at)}/dependencies`, payload)],
  deleteDependency: ['UPDATE_FEATURE_DEPENDENCY', (at) => remove(`${flagPath(at)}/dependencies`)],
  archiveFeature: ['DELETE_FEATURE', (at) => remove(flagPath(at))],
  updateSegment: ['UPDATE_SEGMENT', (_, { id, ...rest }) => put(`segments/${id}`, rest)],
  deleteSegment: ['DELETE_SEGMENT', (_, { id }) => remove(`segments/${id}`)],
};

/** Makes a change at once. */
export const makeAtOnce = (at, { action, payload }) => DIRECT[action][1](at, payload);

/** Adds changes to the person's draft there; gives the change request back. */
export async function propose(at, changes) {
  const listed = changes.map((change) => (change.action.endsWith('Segment') ? change : { feature: at.flag, ...change }));
  const made = await post(`projects/${part(at.project)}/environments/${part(at.environment)}/change-requests`, listed);
  return Array.isArray(made) ? made[0] : made;
}

/** How changes are made in a project, by environment: whether a review is needed, and by how many. */
export async function rulesOf(project, signal) {
  const rows = await get(`projects/${part(project)}/change-requests/config`, { signal });
  return new Map(rows.map((row) => [row.environment, { reviewed: row.changeRequestEnabled, approvals: row.requiredApprovals ?? 1 }]));
}

/** Whether the person may make a change of this kind at once. */
export function mayAtOnce(action, { project, environment }, rules) {
  const skips = !rules.get(environment)?.reviewed || may('SKIP_CHANGE_REQUEST', project, environment);
  return skips && may(DIRECT[action][0], project, environment);
}
