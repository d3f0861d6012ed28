// What a page weighs when nothing of it is kept yet: requests and bytes, headers and data included; and when the first matrix is there.

import { SERVER, check, open, run, signIn } from './harness.mjs';
import { known } from './known.mjs';
import { pagesOf } from './pages.mjs';

const REQUESTS = 8;
const BYTES = 40_000;
/** Of a change request that is open: what it would do, proven and tried, with the first cell explained. */
const OPEN_BYTES = 44_000;
const OPEN = ['review', 'review-each', 'review-own', 'several', 'nothing', 'scheduled'];
/** Until the first matrix of a change request, in milliseconds, where somebody asks for it: on a machine that does something else it says nothing. */
const MATRIX = Number(process.env.VEXIL_MATRIX_MS ?? Infinity);

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
    const most = OPEN.includes(name) ? OPEN_BYTES : BYTES;
    check(`${name}: at most ${most} bytes`, bytes <= most, String(bytes));
    check(`${name}: nothing from elsewhere`, asked.every((url) => url.startsWith(`${SERVER}/`)), asked.join(' '));
    check(`${name}: the policy stops nothing that the page does`, cold.errors.length === 0, cold.errors.join(' | '));
    const matrix = await cold.page.evaluate(() => performance.getEntriesByName('matrix')[0]?.startTime);
    console.log(`${name}: ${asked.length} requests, ${bytes} bytes${matrix ? `, matrix after ${Math.round(matrix)} ms` : ''}`);
    if (matrix && name === 'review') check(`${name}: the first matrix within ${MATRIX} ms`, matrix <= MATRIX, String(Math.round(matrix)));
    await cold.context.close();
  }
  check('nothing is said in the console', errors.length === 0, errors.join(' | '));
});
