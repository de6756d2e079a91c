import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { controlVariables } from '@steward/simulated-game/program/configuration';
import { expect, it } from 'vitest';
import { farmControl } from './members.ts';
import { defaultState } from './options.ts';
import { whatToTry } from './what-to-try.ts';

const ports = { controlApi: 8080, platformAuth: 3001 };
const checkout = fileURLToPath(new URL('../../..', import.meta.url));

it('names the farm’s socket only where `npm run farm` would not look for it', () => {
  expect(whatToTry(ports, defaultState, undefined)).toMatch(/^ {2}the farm +npm run farm -- show$/m);
  expect(whatToTry(ports, '/elsewhere', undefined)).toMatch(
    /^ {2}the farm +FARM_CONTROL=\/elsewhere\/farm\/control\.sock npm run farm -- show$/m,
  );
});

it.each(['/a path/of "mine"', "/it's $HOME;", '/plain'])('quotes the socket for a shell: %s', (state) => {
  const [, line = ''] =
    /^ {2}the farm +(.*) npm run farm -- show$/m.exec(whatToTry(ports, state, undefined)) ?? [];
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
  expect(whatToTry(ports, defaultState, 'k')).toContain('-H "Authorization: Bearer $API_KEY"');
  expect(whatToTry(ports, defaultState, undefined)).not.toContain('API_KEY');
});
