import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { shipped } from '@steward/tools/bundle/bundle';
import { nodeOptionsOf } from '@steward/tools/bundle/services';
import type { Comparison } from '../comparison.ts';
import { peakMb, residentMb } from '../memory.ts';
import { startControlApi } from '../server-process.ts';
import { Bare } from '../start/bare.ts';

const rounds = 3;
const calls = 500;

/** What a server beside an assistant may have, before and after it was used. */
const mostMb = 90;

/** After which nothing of the start, or of the calls, is still going on. */
const settledMs = 2_000;

interface Measured {
  readonly readyMs: number;
  readonly idleMb: number;
  readonly usedMb: number;
  readonly peakMb: number;
  readonly callMs: number;
}

/** The MCP server as its image has it, beside a control API without a game: what it takes before, during and after many calls. */
export async function assistants(): Promise<readonly Comparison[]> {
  using api = await shipped('control-api');
  using mcp = await shipped('mcp-server');
  const bare = await Bare.measured();
  const measured: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) measured.push(await once500(api.main, mcp.main));
  const figure = (words: string, unit: string, value: (one: Measured) => number): Comparison => ({
    figure: `mcp-server: ${words}`,
    unit,
    ours: measured.map(value),
  });
  return [
    figure('start to the list of tools', 'ms', ({ readyMs }) => readyMs),
    bare.beside(
      figure('memory when idle', 'MB', ({ idleMb }) => idleMb),
      'idleMb',
      mostMb,
    ),
    bare.beside(
      figure(`memory after ${calls} calls`, 'MB', ({ usedMb }) => usedMb),
      'idleMb',
      mostMb,
    ),
    figure(`highest memory, during ${calls} calls`, 'MB', (one) => one.peakMb),
    figure('a call, one after the other', 'ms', ({ callMs }) => callMs),
  ];
}

async function once500(api: string, main: string): Promise<Measured> {
  using directory = temporaryDirectory();
  const farm = await startControlApi(api, join(directory.path, 'state'));
  const began = performance.now();
  const child = spawn(process.execPath, [...nodeOptionsOf('mcp-server'), main], {
    env: { STEWARD_URL: farm.origin, MCP_TOOLSETS: 'all' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const { pid = 0 } = child;
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  /** Says it, and waits for the answer to it; what is told in between is passed over. */
  const ask = async (method: string, params: object): Promise<void> => {
    id += 1;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value } = await answers.next();
      if (value === undefined) throw new Error('the MCP server has ended');
      if (JSON.parse(value).id === id) return;
    }
  };
  try {
    const clientInfo = { name: 'benchmark', version: '1.0.0' };
    await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    await ask('tools/list', {});
    const readyMs = performance.now() - began;
    await pause(settledMs);
    const idleMb = residentMb(pid);
    const calling = performance.now();
    for (let call = 0; call < calls; call += 1)
      await ask('tools/call', { name: call % 2 === 0 ? 'get_status' : 'get_events', arguments: {} });
    const callMs = (performance.now() - calling) / calls;
    await pause(settledMs);
    return { readyMs, idleMb, callMs, usedMb: residentMb(pid), peakMb: peakMb(pid) };
  } finally {
    child.stdin.end();
    if (child.exitCode === null) await once(child, 'exit');
    await farm.stop();
  }
}
