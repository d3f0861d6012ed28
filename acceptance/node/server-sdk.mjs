// The server SDK, unchanged: reads flags, decides in this process, reports usage. Its first argument says how it hears of
// changes: 'polling', 'delta' or 'streaming'.

import { initialize } from 'unleash-client';
import { answer, heard, question, sawEdits } from './common.mjs';

const modes = {
    polling: { type: 'polling' },
    delta: { type: 'polling', format: 'delta' },
    streaming: { type: 'streaming' },
};
const unleash = initialize({
    url: `${question.url}/api`,
    appName: question.appName,
    customHeaders: { Authorization: question.clientToken },
    refreshInterval: 250,
    metricsInterval: 3_600_000,
    backupPath: question.scratch,
    experimentalMode: modes[process.argv[2]],
});
await heard(unleash, 'synchronized');
await sawEdits(async () => unleash.getFeatureToggleDefinition(question.edited)?.enabled === true);

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
