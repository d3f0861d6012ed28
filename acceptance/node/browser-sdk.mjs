// The browser SDK, unchanged: the server decides for one context at a time; usage is reported from here.

import { InMemoryStorageProvider, UnleashClient } from 'unleash-proxy-client';
import { answer, heard, question } from './common.mjs';

const decisions = [];
for (const [index, context] of question.contexts.entries()) {
    const unleash = new UnleashClient({
        url: `${question.url}/api/frontend`,
        clientKey: question.frontendToken,
        appName: question.appName,
        context,
        storageProvider: new InMemoryStorageProvider(),
        disableRefresh: true,
        metricsIntervalInitial: 0,
        metricsInterval: 0.2,
    });
    const ready = heard(unleash, 'ready');
    await unleash.start();
    await ready;
    const sent = heard(unleash, 'sent');
    for (const flag of question.flags) {
        const enabled = unleash.isEnabled(flag);
        decisions.push({ flag, context: index, enabled, variant: unleash.getVariant(flag) });
    }
    await sent;
    unleash.stop();
}
answer(decisions);
