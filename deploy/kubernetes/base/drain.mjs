// The server's preStop hook: sees players off, and ends once the farm is saved and the game is away. It takes as many seconds for the
// countdown as it is told. Where it fails, nothing is lost: SIGTERM comes next, and the server sees players off by itself.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const limitMs = 180_000;
const lookAgainMs = 500;
// Of a server that is stuck nobody is seen off: it is told to stop before the whole grace period is gone.
const answerMs = 20_000;

const [, , seconds = '60'] = process.argv;
const { API_KEY_FILE = '', API_PORT = '8080' } = process.env;
const headers = { authorization: `Bearer ${readFileSync(API_KEY_FILE, 'utf8').trim()}` };
const until = performance.now() + limitMs;

await ask('POST', `/drain?when=now&seconds=${seconds}`);
while (await isUnderWay()) {
  if (performance.now() > until) throw new Error(`players are not off within ${limitMs / 1000} s`);
  await pause(lookAgainMs);
}

/** Also a drain that somebody began before. */
async function isUnderWay() {
  const { draining } = await ask('GET', '/drain');
  return draining !== undefined && draining.phase !== 'stopped';
}

async function ask(method, path) {
  const answer = await fetch(`http://127.0.0.1:${API_PORT}${path}`, {
    method,
    headers,
    signal: AbortSignal.timeout(answerMs),
  });
  const body = await answer.json();
  if (!answer.ok && body.code !== 'drain-under-way') throw new Error(`${body.detail} (${body.code})`);
  return body;
}
