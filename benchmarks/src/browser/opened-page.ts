import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDashboard } from '@steward/dashboard/build';
import { type Opened, opened, serveEmpty } from '@steward/dashboard/test/stage/opened';
import { openBrowser, wholeBrowser } from '@steward/testing/browser';
import { freePort } from '@steward/testing/free-port';
import { overSocket, ScriptedGame } from '@steward/testing/game/scripted-game';
import { Program } from '@steward/testing/program';
import { type Comparison, interleave } from '../comparison.ts';

const rounds = 11;
const players = 200;
/** How much slower than it is the processor is made. */
const throttle = 4;

/** The page of a farm with many players, opened in a browser that is four times slower, beside a page that has nothing but Preact. */
export async function openedPage(): Promise<readonly Comparison[]> {
  await freshDashboard();
  const directory = mkdtempSync(join(tmpdir(), 'steward-bench-page-'));
  const empty = await serveEmpty(join(directory, 'empty'));
  const [API_PORT, DASHBOARD_PORT] = [String(await freePort()), String(await freePort())];
  const program = new Program('packages/control-api/src/main.ts', [], {
    ...{ API_HOST: '127.0.0.1', API_PORT, DASHBOARD_PORT, PLATFORM_AUTH_URL: '' },
    ...{ STATE_DIR: directory, SETTINGS_PATH: join(directory, 'server-settings.json') },
  });
  await program.line(/the page is listening on http/);
  const game = new ScriptedGame({ tickMs: 250 });
  game.state.players = Array.from({ length: players }, (_, index) => ({
    id: String(1_000 + index),
    name: `Player ${index}`,
    connectionId: `L_${index}`,
    isAdmin: false,
  }));
  // Without a way in the page would have to say so, above them.
  game.state.networks.directIp = { listening: true, port: 24_642 };
  await game.connect(overSocket(connect(join(directory, 'game.sock'))));
  const browser = await openBrowser(wholeBrowser);
  const origin = `http://127.0.0.1:${DASHBOARD_PORT}/`;
  // Once, so that neither is the first that this browser shows.
  await opened(browser, empty.origin, throttle);
  await opened(browser, origin, throttle);
  const { ours, limit } = await interleave(rounds, {
    ours: () => opened(browser, origin, throttle),
    limit: () => opened(browser, empty.origin, throttle),
  });
  await browser.close();
  empty.close();
  program.kill('SIGTERM');
  await program.exited;
  rmSync(directory, { recursive: true, force: true });
  const compare = (figure: string, value: (one: Opened) => number, atMost: number): Comparison => ({
    figure: `the page, ${players} players, CPU ${throttle} times slower: ${figure}`,
    unit: 'ms',
    ours: ours.map(value),
    limit: limit.map(value),
    beside: 'empty',
    atMost,
  });
  return [
    compare('ready', ({ readyMs }) => readyMs, 2.5),
    compare('longest task', ({ longest }) => longest.ms, 3),
    compare('longest task, of the processor’s time', ({ longest }) => longest.processorMs, 3),
  ];
}
