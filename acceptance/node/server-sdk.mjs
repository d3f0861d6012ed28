// The server SDK, unchanged: reads flags, decides in this process, reports usage.

import { initialize } from 'unleash-client';
import { answer, heard, question } from './common.mjs';

const unleash = initialize({
    url: `${question.url}/api`,
    appName: question.appName,
    customHeaders: { Authorization: question.clientToken },
    refreshInterval: 3_600_000,
    metricsInterval: 3_600_000,
    backupPath: question.scratch,
});
await heard(unleash, 'synchronized');

const decisions = question.contexts.flatMap((context, index) =>
    question.flags.map((flag) => ({
        flag,
        context: index,
        enabled: unleash.isEnabled(flag, context),
        variant: unleash.getVariant(flag, context),
    })),
);

const sent = heard(unleash, 'sent');
await unleash.destroyWithFlush();
await sent;
answer(decisions);
