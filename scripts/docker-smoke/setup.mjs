import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './engine.mjs';
import { AtTerminal } from './terminal.mjs';
import { until } from './until.mjs';

const noticedWithinMs = 30_000;
// An encrypted ticket is some hundred bytes, and nothing else is printed.
const ticketForm = /^[A-Za-z0-9+/]{100,}={0,2}$/;
/** Path, size, time and number of each file: the image has no `find`. */
const listsGame = `
  const { globSync, statSync } = require('node:fs');
  process.chdir('/data/game');
  for (const file of globSync('**')) {
    const found = statSync(file);
    if (found.isFile()) console.log(file, found.size, found.mtimeMs, found.ino);
  }`;
const gameFiles = ['node', '-e', listsGame];
const asksWhetherLoggedIn = `fetch('http://127.0.0.1:3001/health').then(async (a) => console.log((await a.json()).logged_in))`;

// Not the demo's account: the platform gives an account one ticket a minute.
const newcomer = 'newcomer';

/** Lets the real sidecar take the demo's emulated platform for the platform; nothing else of it changes. */
export function meetEmulator(project, directory) {
  const file = join(directory, 'emulated.yml');
  const override = {
    services: {
      'platform-auth': {
        networks: ['demo'],
        volumes: ['demo-clients:/data/clients:ro'],
        environment: {
          PLATFORM_PROXY: 'http://demo-platform:8443',
          NODE_EXTRA_CA_CERTS: '/data/clients/ca.pem',
        },
      },
      'demo-platform': {
        command: [
          ...['--host', '0.0.0.0', '--port', '8443', '--name', 'demo-platform'],
          ...['--account', 'demo:demo', '--account', `${newcomer}:${newcomer}`],
          ...['--clients', '/data/clients', '--keep', '/data/platform'],
        ],
      },
    },
  };
  // JSON is YAML, too.
  writeFileSync(file, JSON.stringify(override));
  project.overrides = [file];
}

/** `setup` at a terminal, as the documentation tells; the service beside it takes up what it saved. */
export async function setUp(project) {
  const terminal = new AtTerminal(project.command('run', '--rm', 'platform-auth', 'setup'), project.env);
  await terminal.answer(/How do you want to log in/, '');
  await terminal.answer(/Account name/, newcomer);
  await terminal.answer(new RegExp(`Password of ${newcomer}`), newcomer);
  await terminal.ended(0);
  say('setup logged in and downloaded the game at a terminal');
  await loggedIn(project);
  givesTicket(project);
}

export async function loggedIn(project) {
  await until('the sidecar is logged in', noticedWithinMs, () => {
    return project.inside('platform-auth', 'node', '-e', asksWhetherLoggedIn) === 'true';
  });
}

export function givesTicket(project) {
  const ticket = project.inside('platform-auth', 'node', 'dist/main.js', 'ticket');
  if (!ticketForm.test(ticket)) throw new Error(`that is no ticket: ${ticket}`);
  say(`the sidecar gives a ticket of ${ticket.length} characters`);
}

/** Every file of the game, with what would change if it were written again. */
export function gameTree(project) {
  const files = project.inside('platform-auth', ...gameFiles).split('\n');
  if (files.length < 10) throw new Error(`the game is not there: ${files.join(', ')}`);
  return files.filter((file) => file.startsWith('Content/')).sort();
}
