// The evaluator of the server SDK, unchanged: answers one line of questions after the other. A question has a state as servers
// send it, the flags that are asked for, and contexts; its answer has one entry for each flag and context.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const require = createRequire(import.meta.url);
const { default: Client } = require('unleash-client/lib/client');
const { defaultStrategies } = require('unleash-client/lib/strategy');

function answer({ state, flags, contexts }) {
    const toggles = new Map(state.features.map((flag) => [flag.name, flag]));
    const segments = new Map((state.segments ?? []).map((segment) => [segment.id, segment]));
    const repository = {
        getToggle: (name) => toggles.get(name),
        getSegment: (id) => segments.get(id),
    };
    const client = new Client(repository, defaultStrategies);
    return flags.flatMap((flag) =>
        contexts.map((context) => {
            try {
                const variant = client.getVariant(flag, context);
                const on = client.isEnabled(flag, context, () => false);
                return { on, enabled: on && variant.enabled, name: variant.name, payload: variant.payload?.value };
            } catch (error) {
                return { error: String(error) };
            }
        }),
    );
}

for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
}
