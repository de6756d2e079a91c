// Sends each request of each line of its input by every way that Node's clients have of sending nothing, or the JSON that it has, with
// what they add by default, and prints what became of each, and an empty line behind the last of each line.
import http from 'node:http';
import https from 'node:https';
import { createInterface } from 'node:readline';
import axios from 'axios';

const chunked = { 'transfer-encoding': 'chunked' };
const json = { 'content-type': 'application/json' };

/** Each way by its name, as a function of the request; `auth` is the one header that every caller here sets. */
function waysOf({ method, url, body, auth }) {
  const name = method.toLowerCase();
  const written = JSON.stringify(body);
  if (body !== undefined)
    return {
      'fetch with JSON': () => fetched(url, { method, headers: { ...auth, ...json }, body: written }),
      'http with JSON in chunks': () =>
        requested(url, { method, headers: { ...auth, ...json, ...chunked } }, written),
      'axios with an object': () => viaAxios({ method, url, data: body, headers: auth }),
    };
  return {
    fetch: () => fetched(url, { method, headers: auth }),
    'fetch with a default JSON header': () => fetched(url, { method, headers: { ...auth, ...json } }),
    'fetch with an empty text': () => fetched(url, { method, headers: auth, body: '' }),
    'fetch with {}': () => fetched(url, { method, headers: { ...auth, ...json }, body: '{}' }),
    'fetch with an empty form': () => fetched(url, { method, headers: auth, body: new URLSearchParams() }),
    'fetch with an empty stream': () =>
      fetched(url, { method, headers: { ...auth, ...json }, body: new Blob([]).stream(), duplex: 'half' }),
    http: () => requested(url, { method, headers: auth }),
    'http with a default JSON header': () => requested(url, { method, headers: { ...auth, ...json } }),
    'http with no chunk': () => requested(url, { method, headers: { ...auth, ...json, ...chunked } }),
    'http with {}': () =>
      requested(url, { method, headers: { ...auth, ...json, 'content-length': 2 } }, '{}'),
    axios: () => viaAxios({ method, url, headers: auth }),
    'axios by the name of the method': () =>
      answered(
        name === 'delete' ? axios.delete(url, tolerant(auth)) : axios[name](url, undefined, tolerant(auth)),
      ),
    'axios with a default JSON header': () => viaAxios({ method, url, headers: { ...auth, ...json } }),
    'axios with {}': () => viaAxios({ method, url, data: {}, headers: auth }),
    'axios with null': () => viaAxios({ method, url, data: null, headers: auth }),
    'axios with an empty text': () => viaAxios({ method, url, data: '', headers: auth }),
  };
}

const patienceMs = 10_000;

async function fetched(url, options) {
  const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(patienceMs) });
  return { status: answer.status, body: await answer.text() };
}

function requested(url, options, body) {
  const { request } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, signal: AbortSignal.timeout(patienceMs) }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode, body: text })).on('error', reject);
    });
    sent.on('error', reject);
    if (body !== undefined) sent.write(body);
    sent.end();
  });
}

/** Without exceptions for what a test wants to see. */
function tolerant(headers) {
  return { headers, timeout: patienceMs, validateStatus: () => true, transformResponse: (text) => text };
}

async function answered(promise) {
  const { status, data } = await promise;
  return { status, body: data };
}

const viaAxios = ({ headers, ...rest }) => answered(axios({ ...rest, ...tolerant(headers) }));

for await (const line of createInterface({ input: process.stdin })) {
  for (const request of JSON.parse(line))
    for (const [way, send] of Object.entries(waysOf(request))) {
      const outcome = await send().catch((error) => ({ status: 0, body: String(error.cause ?? error) }));
      process.stdout.write(
        `${JSON.stringify({ way, method: request.method, url: request.url, ...outcome })}\n`,
      );
    }
  process.stdout.write('\n');
}
