// OpenFeature in a browser with its OFREP provider, unchanged: all flags are asked for at once, and again when the server
// says so. Node.js has no EventSource of its own.

import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature } from '@openfeature/web-sdk';
import { EventSource } from 'eventsource';
import { answer, openFeatureContext, question, sawEdits, valueOf } from './common.mjs';

globalThis.EventSource = EventSource;
const headers = [['Authorization', question.frontendToken]];
await OpenFeature.setContext({ targetingKey: 'u' });
const provider = new OFREPWebProvider({ baseUrl: question.url, headers, cacheMode: 'disabled', pollInterval: 0 });
await OpenFeature.setProviderAndWait(provider);
const client = OpenFeature.getClient();
await sawEdits(async () => client.getBooleanValue(question.edited, false));

const decisions = [];
for (const [index, context] of question.contexts.entries()) {
    await OpenFeature.setContext(openFeatureContext(context));
    for (const flag of question.flags) {
        const kinds = { boolean: 'getBooleanDetails', string: 'getStringDetails', number: 'getNumberDetails', object: 'getObjectDetails' };
        const { value, variant } = await valueOf((standIn) => client[kinds[typeof standIn]](flag, standIn));
        decisions.push({ flag, context: index, value, variant });
    }
}
await OpenFeature.close();
answer(decisions);
// the event stream stays open otherwise
process.stdout.write('', () => process.exit(0));
