// What all SDKs for JavaScript share: the question on standard input, the answer on standard output.

import { readFileSync } from 'node:fs';

/**
 * { url, appName, adminToken, clientToken, frontendToken, flags: [name], edited: name, contexts: [context] }
 */
export const question = JSON.parse(readFileSync(0, 'utf8'));

/** Prints one decision per flag and context: { flag, context (its index), enabled, variant } or { …, value, variant }. */
export function answer(decisions) {
    process.stdout.write(`${JSON.stringify({ decisions })}\n`);
}

/** Resolves when `emitter` says `event`; rejects with its error, or after ten seconds. */
export function heard(emitter, event) {
    return new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`no '${event}' within 10 s`)), 10_000);
        emitter.on(event, (value) => {
            clearTimeout(late);
            resolve(value);
        });
        emitter.on('error', reject);
    });
}

/** Resolves when `holds` does; rejects with what `orElse` says after so many milliseconds. */
export async function within(milliseconds, holds, orElse) {
    const begun = performance.now();
    while (!(await holds())) {
        if (performance.now() - begun > milliseconds) {
            throw new Error(orElse());
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
    }
}

/** How long an SDK may take to see an edit, in milliseconds. */
const SOON = 1_000;

/** Turns the flag `edited` on and off again; fails where the SDK, of which `isOn` asks, does not see both within a second. */
export async function sawEdits(isOn) {
    for (const wanted of [true, false]) {
        const path = `/api/admin/projects/default/features/${question.edited}/environments/development/${wanted ? 'on' : 'off'}`;
        const headers = { Authorization: question.adminToken };
        const edit = await fetch(`${question.url}${path}`, { method: 'POST', headers });
        if (!edit.ok) {
            throw new Error(`${path}: ${edit.status}`);
        }
        const begun = performance.now();
        await within(SOON, async () => (await isOn()) === wanted, () => `an edit was not seen within ${SOON} ms`);
        process.stderr.write(`${question.appName} saw an edit after ${Math.round(performance.now() - begun)} ms\n`);
    }
}

/** The context of the scenario as OpenFeature has it. */
export function openFeatureContext({ userId, properties, ...rest }) {
    return { targetingKey: userId, ...rest, ...properties };
}

/** The value of a flag, whatever its type: `details` asks for it as one type. */
export async function valueOf(details) {
    for (const standIn of [false, '', 0, {}]) {
        const told = await details(standIn);
        if (told.errorCode !== 'TYPE_MISMATCH') {
            return told;
        }
    }
    throw new Error('a value of no type');
}
