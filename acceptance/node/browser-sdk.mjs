// The browser SDK, unchanged: the server decides for one context at a time; usage is reported from here.

import { InMemoryStorageProvider, UnleashClient } from 'unleash-proxy-client';
import { answer, heard, question, sawEdits, within } from './common.mjs';

async function started(options) {
    const unleash = new UnleashClient({
        url: `${question.url}/api/frontend`,
        clientKey: question.frontendToken,
        appName: question.appName,
        context: {},
        storageProvider: new InMemoryStorageProvider(),
        ...options,
    });
    const ready = heard(unleash, 'ready');
    await unleash.start();
    await ready;
    return unleash;
}

const asking = await started({ refreshInterval: 0.25, disableMetrics: true });
await sawEdits(async () => asking.getAllToggles().some(({ name }) => name === question.edited));
asking.stop();

const unleash = await started({ disableRefresh: true, metricsIntervalInitial: 0, metricsInterval: 0.2 });
let reported = 0;
unleash.on('sent', ({ bucket }) => {
    reported += Object.values(bucket.toggles).reduce((sum, { yes, no }) => sum + yes + no, 0);
});
const decisions = [];
for (const [index, context] of question.contexts.entries()) {
    await unleash.updateContext(context);
    for (const flag of question.flags) {
        const enabled = unleash.isEnabled(flag);
        decisions.push({ flag, context: index, enabled, variant: unleash.getVariant(flag) });
    }
}
// a flag is counted once for itself and once for its variant; a report may be on its way that does not hold the last of them
await within(30_000, () => reported === 2 * decisions.length, () => `${reported} of ${2 * decisions.length} counts were reported`);
unleash.stop();
answer(decisions);
