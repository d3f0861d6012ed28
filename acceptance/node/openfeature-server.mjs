// OpenFeature on a server with its OFREP provider, unchanged: each flag is asked for.

import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';
import { answer, openFeatureContext, question, sawEdits, valueOf } from './common.mjs';

const headers = { Authorization: `Bearer ${question.clientToken}` };
await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: question.url, headers }));
const client = OpenFeature.getClient();
await sawEdits(() => client.getBooleanValue(question.edited, false, { targetingKey: 'u' }));

const decisions = [];
for (const [index, context] of question.contexts.entries()) {
    const asked = openFeatureContext(context);
    const told = question.flags.map(async (flag) => {
        const kinds = { boolean: 'getBooleanDetails', string: 'getStringDetails', number: 'getNumberDetails', object: 'getObjectDetails' };
        const { value, variant } = await valueOf((standIn) => client[kinds[typeof standIn]](flag, standIn, asked));
        return { flag, context: index, value, variant };
    });
    decisions.push(...(await Promise.all(told)));
}
await OpenFeature.close();
answer(decisions);
