import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../scripts/audit.mjs', import.meta.url));

interface Verdict {
  readonly kind: string;
  readonly lines: readonly string[];
}

const { verdictOf }: { verdictOf: (said: { stdout: string; stderr: string }) => Verdict } = await import(
  new URL('../scripts/audit/verdict.mjs', import.meta.url).href
);

/** A registry of which only the advisories are asked for, and what it was asked. */
async function registry(status: number, answer: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      asked.push(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked,
    /** Runs the audit as CI does, with this registry. */
    audit: () =>
      new Promise<{ code: number; said: string }>((resolve) => {
        const { port } = server.address() as AddressInfo;
        execFile(
          process.execPath,
          [script, '--registry', `http://127.0.0.1:${port}/`],
          (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), said: stdout + stderr }),
        );
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const advisory = {
  id: 1,
  url: 'https://github.com/advisories/GHSA-0000-0000-0000',
  title: 'Something is wrong with it',
  severity: 'low',
  vulnerable_versions: '<99',
  cwe: [],
  cvss: { score: 0, vectorString: null },
};

it('fails for a vulnerability that the registry knows, however small, of whatever is in the lockfile', async () => {
  await using known = await registry(200, JSON.stringify({ fastify: [advisory] }));
  const { code, said } = await known.audit();
  expect(said).toMatch(/^audit: 1 known:\nfastify [\d.]+ \(low\): Something is wrong with it$/m);
  expect(said).toContain(advisory.url);
  expect(code).toBe(1);
  // What ships, and what is only built and tested with.
  const [asked = ''] = known.asked;
  for (const name of ['steam-user', 'rolldown', 'vitest']) expect(JSON.parse(asked)).toHaveProperty([name]);
});

it('says plainly that a registry has no advisories, and does not fail for that', async () => {
  await using unknowing = await registry(405, 'no such thing');
  const { code, said } = await unknowing.audit();
  expect(said).toMatch(/NOT AUDITED[\s\S]*405/);
  expect(code).toBe(0);
});

it('takes nothing for a clean report but one without advisories', () => {
  const clean = { stdout: '{"advisories":{},"metadata":{}}', stderr: '' };
  expect(verdictOf(clean).kind).toBe('clean');
  for (const stdout of ['', '{}', '[]', 'null', '{"advisories":null}', '{"advisories":{', '<html>'])
    expect([stdout, verdictOf({ stdout, stderr: 'it broke' }).kind]).toEqual([stdout, 'failed']);
});
