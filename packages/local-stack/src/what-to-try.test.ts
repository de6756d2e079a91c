import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { controlVariables } from '@steward/simulated-game/program/configuration';
import { expect, it } from 'vitest';
import { farmControl } from './members.ts';
import { defaultState } from './options.ts';
import { whatToTry, whereThePageIs } from './what-to-try.ts';

const ports = { controlApi: 8080, dashboard: 8090, platformAuth: 3001 };
const open = { isAsked: false };
const checkout = fileURLToPath(new URL('../../..', import.meta.url));

const codes = { platform: 'SDK19M7PTFKZ7', network: 'GDK19M7PTFKZ7' };
const hint = (state: string, key = open) => whatToTry(ports, { state, kept: state }, key, codes);

it('names the farm’s socket only where `npm run farm` would not look for it', () => {
  expect(hint(defaultState)).toMatch(/^ {2}npm run farm -- show$/m);
  expect(hint('/elsewhere')).toMatch(
    /^ {2}FARM_CONTROL=\/elsewhere\/farm\/control\.sock npm run farm -- show$/m,
  );
});

it.each(['/a path/of "mine"', "/it's $HOME;", '/plain'])('quotes the socket for a shell: %s', (state) => {
  const [, line = ''] = /^ {2}(FARM_CONTROL=.*) npm run farm -- show$/m.exec(hint(state)) ?? [];
  const read = execFileSync('sh', ['-c', `${line} env`], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  expect(read.split('\n')).toContain(`FARM_CONTROL=${farmControl(state)}`);
});

it.each([
  [defaultState, 8080, defaultState, 'npm start -- --fresh'],
  [defaultState, 8081, `${defaultState}/8081`, 'API_PORT=8081 npm start -- --fresh'],
  ['/a path', 8080, '/a path', "npm start -- --fresh --state '/a path'"],
  ['/elsewhere', 9000, '/elsewhere/9000', 'API_PORT=9000 npm start -- --fresh --state /elsewhere'],
])('starts over with the farm that runs: of %s, at port %i', (state, controlApi, kept, command) => {
  const told = whatToTry({ ...ports, controlApi }, { state, kept }, open, codes);
  expect(told.trim().split('\n').at(-1)).toBe(command);
});

it('keeps the farm’s socket where `npm run farm` looks for it', () => {
  expect(resolve(checkout, controlVariables.FARM_CONTROL.fallbackText)).toBe(farmControl(defaultState));
});

it('says how to send the key where there is one', () => {
  expect(hint(defaultState, { isAsked: true })).toContain('-H "Authorization: Bearer $API_KEY"');
  expect(hint(defaultState)).not.toContain('API_KEY');
});

it('puts the key behind the # of the page’s link where it may be shown, and shows a new one once', () => {
  const key = "a+b/c d'e";
  const told = whereThePageIs(ports, { isAsked: true, shown: key, isNew: true });
  expect(told.split('\n').find((line) => line.includes('http'))).toContain(
    `http://127.0.0.1:8090/#key=a%2Bb%2Fc%20d'e`,
  );
  expect(told).toContain('export API_KEY=');
  expect(whereThePageIs(ports, { isAsked: true })).toContain('http://127.0.0.1:8090/\n');
});

it('begins with the codes, or with what keeps players out', () => {
  expect(hint(defaultState).trim()).toMatch(/^Players join with the code SDK19M7PTFKZ7 or GDK19M7PTFKZ7\n/);
  const late = whatToTry(ports, { state: defaultState, kept: defaultState }, open, { why: 'no session' });
  expect(late.trim()).toMatch(/^Players cannot join yet: no session\n/);
});

it('fits a phone’s terminal of 60 columns', () => {
  const texts = [whereThePageIs(ports, open), hint(defaultState)].join('');
  expect(texts.split('\n').filter((line) => line.length > 60)).toEqual([]);
});
