// Unleash's own pages before a server of ours, as one origin: what is a file of theirs comes from the folder of their package, every question
// goes to the server and comes back as it is. What was asked is written down.

import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import zlib from 'node:zlib';

const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png', '.ico': 'image/x-icon', '.woff2': 'font/woff2' };
const ASKED = /^\/(api|auth|logout|invite|edge|health|ready)(\/|$)/;

/** The one page, as Unleash's server fills it in: no path before it, no flags of its own, and no fonts of strangers. */
function shell(folder) {
  const page = fs.readFileSync(path.join(folder, 'index.html'), 'utf8').replaceAll('::uiFlags::', '{}');
  return page.replaceAll(/::\w+::/g, '').replaceAll(/<link[^>]*fonts\.g[^>]*>/g, '');
}

const kept = new Map();
/** A file as a server that is not ours would send it: compressed. */
const packed = (file) => kept.get(file) ?? kept.set(file, zlib.gzipSync(fs.readFileSync(file))).get(file);

/**
 * Hands a question on, headers and all, and the answer back. Whoever gave up waiting is no fault. Each has a connection of its own: one that is
 * kept may be closed by the server in the moment in which it is used again.
 */
function pass(question, answer, server, told) {
  const { method, url, headers } = question;
  let gone = false;
  const onwards = http.request({ host: server.hostname, port: server.port, method, path: url, headers, agent: false }, (came) => {
    told({ method, path: url, status: came.statusCode });
    answer.writeHead(came.statusCode, came.rawHeaders);
    came.pipe(answer);
  });
  answer.on('close', () => {
    gone = true;
    onwards.destroy();
  });
  onwards.on('error', (error) => {
    if (!gone) told({ method, path: url, status: 0, error: error.code });
    answer.destroy();
  });
  question.pipe(onwards);
}

/** Serves the pages in `folder` and the answers of `server`; gives back the address, and `calls`: what was asked since it was read last. */
export async function front(folder, server) {
  const page = shell(folder), upstream = new URL(server);
  let calls = [], pending = 0, ended = Date.now();
  const listener = http.createServer((question, answer) => {
    pending += 1;
    answer.on('close', () => {
      pending -= 1;
      ended = Date.now();
    });
    const { pathname } = new URL(question.url, server);
    if (ASKED.test(pathname)) return pass(question, answer, upstream, (call) => calls.push(call));
    const file = path.join(folder, path.normalize(pathname));
    if (file.startsWith(folder + path.sep) && TYPES[path.extname(file)] && fs.existsSync(file)) {
      answer.writeHead(200, { 'content-type': TYPES[path.extname(file)], 'content-encoding': 'gzip', 'cache-control': 'max-age=3600' });
      return answer.end(packed(file));
    }
    answer.writeHead(200, { 'content-type': 'text/html' });
    return answer.end(page);
  });
  await new Promise((done) => listener.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${listener.address().port}`,
    calls() {
      const asked = calls;
      calls = [];
      return asked;
    },
    /** Whether nothing has been asked for so long. */
    isQuiet: (milliseconds) => pending === 0 && Date.now() - ended >= milliseconds,
    close: () => listener.close(),
  };
}
