import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Program } from '@steward/testing/program';
import { expect, it } from 'vitest';
import { shipped } from './bundle.ts';

it('ships the MCP server, which speaks the protocol without a package beside it, and ends with its host', async () => {
  using bundled = await shipped('mcp-server');
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  };
  const folder = join(bundled.main, '..');
  const licences = readFileSync(join(folder, 'THIRD-PARTY-LICENCES.txt'), 'utf8');
  expect(licences).toContain('@modelcontextprotocol/server');
  // What of service-kit needs these stays outside: they would be half of its memory.
  expect(licences).not.toMatch(/^(fastify|pino)\b/m);
  const server = spawn(process.execPath, [bundled.main], {
    env: { STEWARD_URL: 'http://127.0.0.1:9' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(server, 'exit');
  server.stdin.write(`${JSON.stringify(initialize)}\n`);
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const { value: line } = await lines.next();
  expect(JSON.parse(line ?? '')).toMatchObject({ id: 1, result: { serverInfo: { name: 'steward' } } });
  server.stdin.end();
  expect(await ended).toEqual([0, null]);
});

it.each([
  ['MCP_TOOLSETS', 'farm,cows', /MCP_TOOLSETS is "farm,cows": it must be one or more of farm,/],
  ['STEWARD_URL', 'farm.example', /STEWARD_URL is "farm.example": it must be an http or https URL/],
  ['STEWARD_URL', 'http://farm.example/?page=1', /STEWARD_URL is "http.*": it must be .* URL without a user/],
  ['MCP_READ_ONLY', 'perhaps', /MCP_READ_ONLY is "perhaps": it must be true or false/],
])('a bad %s ends it with one line', async (name, value, words) => {
  await using server = new Program('packages/mcp-server/src/main.ts', [], { [name]: value });
  expect(await server.exited).toMatchObject({ code: 1 });
  expect(server.stderr).toEqual([expect.stringMatching(words)]);
  expect(server.stdout).toEqual([]);
});
