// What both SDKs for JavaScript share: the question on standard input, the answer on standard output.

import { readFileSync } from 'node:fs';

/** { url, appName, clientToken, frontendToken, flags: [name], contexts: [context] } */
export const question = JSON.parse(readFileSync(0, 'utf8'));

/** Prints one decision per flag and context: { flag, context (its index), enabled, variant }. */
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
