import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { controlVariables } from '@steward/simulated-game/program/configuration';
import { expect, it } from 'vitest';
import { farmControl } from './members.ts';
import { defaultState } from './options.ts';
import { whatToTry } from './what-to-try.ts';

const ports = { controlApi: 8080, dashboard: 8090, platformAuth: 3001 };
const open = { isAsked: false };
const checkout = fileURLToPath(new URL('../../..', import.meta.url));

it('names the farm’s socket only where `npm run farm` would not look for it', () => {
  expect(whatToTry(ports, defaultState, open)).toMatch(/^ {2}the farm +npm run farm -- show$/m);
  expect(whatToTry(ports, '/elsewhere', open)).toMatch(
    /^ {2}the farm +FARM_CONTROL=\/elsewhere\/farm\/control\.sock npm run farm -- show$/m,
  );
});

it.each(['/a path/of "mine"', "/it's $HOME;", '/plain'])('quotes the socket for a shell: %s', (state) => {
  const [, line = ''] =
    /^ {2}the farm +(.*) npm run farm -- show$/m.exec(whatToTry(ports, state, open)) ?? [];
  const read = execFileSync('sh', ['-c', `${line} env`], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  expect(read.split('\n')).toContain(`FARM_CONTROL=${farmControl(state)}`);
});

it('keeps the farm’s socket where `npm run farm` looks for it', () => {
  expect(resolve(checkout, controlVariables.FARM_CONTROL.fallbackText)).toBe(farmControl(defaultState));
});

it('says how to send the key where there is one', () => {
  expect(whatToTry(ports, defaultState, { isAsked: true })).toContain('-H "Authorization: Bearer $API_KEY"');
  expect(whatToTry(ports, defaultState, open)).not.toContain('API_KEY');
});

it('opens the page first, with the key behind the # where it may be shown, and shows a new one once', () => {
  const key = "a+b/c'd";
  const told = whatToTry(ports, defaultState, { isAsked: true, shown: key, isNew: true });
  expect(told.split('\n').find((line) => line.includes('http'))).toContain(
    `http://127.0.0.1:8090/#${new URLSearchParams({ key })}`,
  );
  expect(told).toContain('export API_KEY=');
  expect(whatToTry(ports, defaultState, { isAsked: true })).toContain('http://127.0.0.1:8090/\n');
});
