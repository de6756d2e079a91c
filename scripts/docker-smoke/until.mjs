import { setTimeout as pause } from 'node:timers/promises';

const lookAgainMs = 500;
const answersWithinMs = 10_000;

/** What `look` gives once it gives something; a thing that never comes is named. */
export async function until(what, limitMs, look) {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`after ${limitMs / 1000} s it is not so that ${what}`);
    await pause(lookAgainMs);
  }
}

/** The JSON of a GET, or undefined while nobody answers. */
export async function json(url) {
  const given = new AbortController();
  // A connection that goes while its server starts may leave `fetch` without an answer and Node with nothing to wait for.
  const late = setTimeout(() => given.abort(), answersWithinMs);
  try {
    return await (await fetch(url, { signal: given.signal })).json();
  } catch {
    return undefined;
  } finally {
    clearTimeout(late);
  }
}
