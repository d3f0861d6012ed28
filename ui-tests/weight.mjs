// What a page weighs when nothing of it is kept yet: requests and bytes, headers and data included.

import { SERVER, check, open, run, signIn } from './harness.mjs';
import { known } from './known.mjs';
import { pagesOf } from './pages.mjs';

const REQUESTS = 8;
const BYTES = 41_000;

await run('weight', async (browser) => {
  const seeded = await known();
  const { context, page, errors } = await open(browser);
  await signIn(page, seeded.people.ida);
  const state = await context.storageState();
  await context.close();
  for (const [name, [path, prepare]] of Object.entries(pagesOf(seeded))) {
    if ((prepare && name !== 'strategy-new') || name.includes('missing') || name === 'nowhere') continue;
    const cold = await open(browser, { storageState: state });
    const network = await cold.context.newCDPSession(cold.page);
    await network.send('Network.enable');
    await network.send('Network.setCacheDisabled', { cacheDisabled: true });
    const urls = new Map();
    let bytes = 0;
    network.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url));
    network.on('Network.dataReceived', ({ requestId, encodedDataLength }) => { if (urls.get(requestId)?.includes('/live')) bytes += encodedDataLength; });
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => { if (!urls.get(requestId)?.startsWith('data:')) bytes += encodedDataLength; });
    await cold.page.goto(SERVER + path, { waitUntil: 'networkidle' });
    const asked = [...urls.values()].filter((url) => !url.startsWith('data:'));
    check(`${name}: at most ${REQUESTS} requests`, asked.length <= REQUESTS, `${asked.length}: ${asked.map((url) => url.replace(SERVER, '')).join(' ')}`);
    check(`${name}: at most ${BYTES} bytes`, bytes <= BYTES, String(bytes));
    check(`${name}: nothing from elsewhere`, asked.every((url) => url.startsWith(`${SERVER}/`)), asked.join(' '));
    check(`${name}: the policy stops nothing that the page does`, cold.errors.length === 0, cold.errors.join(' | '));
    console.log(`${name}: ${asked.length} requests, ${bytes} bytes`);
    await cold.context.close();
  }
  check('nothing is said in the console', errors.length === 0, errors.join(' | '));
});
