// One project: what it says of itself, which environments it uses, where changes are reviewed, and who was granted what.

import { h } from '../core/element.js';
import { get, may, optional, part, post, put, remove } from '../core/api.js';
import { go, show } from '../core/router.js';
import { askForm } from '../form/ask.js';
import { area, check, field, form, select, text } from '../form/form.js';
import { askRemove, rowButton, section, table } from '../settings/frame.js';
import { projectText } from '../text.js';

/** Grants that a person can have in a project. */
const GRANTS = ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST', 'SKIP_CHANGE_REQUEST'];

function rule(project, row) {
  const path = `projects/${part(project)}/environments/${part(row.environment)}/change-requests/config`;
  askForm(projectText.ruleOf(row.environment), projectText.save, async (data) => {
    await put(path, { changeRequestsEnabled: data.has('reviewed'), requiredApprovals: Number(data.get('approvals')) });
    await show();
  }, check('reviewed', projectText.reviewed, row.changeRequestEnabled), field(projectText.approvals, text('approvals', row.requiredApprovals ?? 1, { type: 'number', min: 1, max: 10, required: true })));
}

function environments(project, rules, all, may) {
  const used = new Map(rules.map((row) => [row.environment, row]));
  const path = `projects/${part(project)}/environments`;
  const rows = all.map(({ name }) => {
    const row = used.get(name);
    const join = async () => {
      await post(path, { environment: name });
      await show();
    };
    const leave = () => askRemove(projectText.leaveQuestion(name), projectText.leaveHint, async () => {
      await remove(`${path}/${part(name)}`);
      await show();
    });
    const tools = may && h('div', { class: 'row-tools' }, row ? [rowButton(projectText.rule, name, () => rule(project, row)), rowButton(projectText.leave, name, leave)] : rowButton(projectText.join, name, join));
    return [h('span', { class: 'name' }, name), !row ? projectText.unused : row.changeRequestEnabled ? projectText.needs(row.requiredApprovals ?? 1) : projectText.direct, tools];
  });
  return table(projectText.environments, projectText.environmentColumns, rows);
}

function access(project, users, may) {
  const path = (user) => `projects/${part(project)}/access/users/${user.id}`;
  const nameOf = (user) => user.name || user.username || user.email;
  const words = (one) => projectText.grant(projectText.grants[one.permission] ?? one.permission, one.environment);
  const give = (user, permissions) => put(path(user), { permissions }).then(show);
  const change = (user) => askForm(projectText.grantsOf(nameOf(user)), projectText.save, (data) => give(user, GRANTS.filter((one) => data.has(one)).map((permission) => ({ permission }))),
    h('p', { class: 'hint' }, projectText.everywhere), GRANTS.map((one) => check(one, projectText.grants[one], user.permissions?.some((held) => held.permission === one))));
  const add = async () => {
    const found = await get('user-admin/search?q=');
    const left = found.filter((user) => !users.some((one) => one.id === user.id));
    askForm(projectText.addPerson, projectText.save, (data) => give({ id: data.get('user') }, GRANTS.filter((one) => data.has(one)).map((permission) => ({ permission }))),
      field(projectText.person, select('user', left.map((user) => [user.id, nameOf(user)]), null, { required: true })), GRANTS.map((one) => check(one, projectText.grants[one], false)));
  };
  const rows = users.filter((user) => user.permissions?.length).map((user) => [nameOf(user), h('ul', null, user.permissions.map((one) => h('li', null, words(one)))), may && h('div', { class: 'row-tools' }, rowButton(projectText.change, nameOf(user), () => change(user)))]);
  return [h('div', { class: 'title sub' }, h('h2', null, projectText.access), may && h('div', { class: 'actions' }, h('button', { type: 'button', onclick: add }, projectText.addPerson))),
    h('p', { class: 'lead' }, projectText.accessLead), rows.length ? table(projectText.access, projectText.accessColumns, rows) : h('p', { class: 'faint' }, projectText.nobody)];
}

export async function page({ params: { project: id }, signal }) {
  const [project, rules, { environments: all }, granted] = await Promise.all([
    get(`projects/${part(id)}`, { signal }), get(`projects/${part(id)}/change-requests/config`, { signal }), get('environments', { signal }), optional(get(`projects/${part(id)}/access`, { signal })),
  ]);
  const editor = may('UPDATE_PROJECT', id), admin = may('ADMIN');
  const edited = form({
    save: async (data) => {
      await put(`projects/${part(id)}`, { name: data.get('name'), description: data.get('description') });
      await show();
    },
    buttons: h('button', { type: 'submit', class: 'primary' }, projectText.save),
  }, field(projectText.name, text('name', project.name, { required: true })), field(projectText.description, area('description', project.description ?? '')));
  const end = () => askRemove(projectText.removeQuestion(project.name), projectText.removeHint, async () => {
    await remove(`projects/${part(id)}`);
    go('settings/projects');
  });
  return section('projects', null, h('h2', { class: 'of' }, project.name, ' ', h('code', { class: 'faint' }, id)),
    editor ? h('div', { class: 'card' }, edited) : h('p', { class: 'lead' }, project.description),
    h('div', { class: 'title sub' }, h('h2', null, projectText.environments)), h('p', { class: 'lead' }, projectText.environmentsLead), environments(id, rules, [...all].sort((a, b) => a.sortOrder - b.sortOrder), editor),
    granted && access(id, granted.users, admin),
    may('DELETE_PROJECT', id) && id !== 'default' && h('p', { class: 'end' }, h('button', { type: 'button', onclick: end }, projectText.removeButton)));
}
