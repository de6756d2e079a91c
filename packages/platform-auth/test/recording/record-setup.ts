import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { demoApps } from '@steward/platform-emulator/demo-apps';
import { AtTerminal, surroundings } from '../world/at-terminal.ts';
import { Emulated, gameApp } from '../world/emulated.ts';
import { keys } from '../world/terminal-program.ts';
import { animatedSvg, type Frame } from './animated-svg.ts';
import { type Line, screenLines } from './screen-lines.ts';

// Makes the picture of `setup` that the pages show: the real program at a terminal, against the emulated platform.

const picture = new URL('../../../../docs/terminal/setup.svg', import.meta.url);
const command = 'docker compose run --rm platform-auth setup';

const columns = 80;
const rows = 24;
const gameBytes = 60_000_000;
/** Of each content server: slow enough that the bar is seen to move. */
const bytesPerSecond = 500_000;
const percentBetween = 8;

const keyMs = 110;
const readMs = 1_400;
const barMs = 350;
const endMs = 6_000;

const account = {
  ...{ name: 'farmhost', password: 'twelve-chars', guardCode: 'K7QRT', owns: [gameApp] },
  guards: ['device-code', 'device-confirmation'] as const,
};

/** Where the image has it. Ours is as long, so that lines are broken in the same places. */
const sessionDirectory = '/data/platform-session';
const gameDirectory = '/data/game';
const directory = mkdtempSync('/tmp/steward-set');

await using world = await Emulated.start({ accounts: [account], apps: demoApps('setup', gameBytes) });
world.platform.faults.add({ when: { kind: 'chunk' }, fault: { bytesPerSecond } });
await using person = new AtTerminal(
  'setup',
  { ...surroundings(world), SESSION_DIR: directory },
  { columns, rows: rows - 1 },
);

const frames: Frame[] = [];

for (let typed = 0; typed <= command.length; typed += 1) {
  const ms = typed === command.length ? readMs : keyMs / 2;
  frames.push({ lines: [prompt(command.slice(0, typed))], ms });
}
await person.shows(/How do you want to log in.*└/);
take(readMs);
person.type(keys.enter);
await typeInto(/Account name/, account.name);
await typeInto(/Password of/, account.password, '▪');
await typeInto(/Code from the game store/, account.guardCode);
await person.shows(/Logged in as/);
take(readMs);
await person.shows(/Downloading/);
take(readMs);
for (let percent = 0; percent < 100; ) {
  const [, now] = await person.shows(/ (\d+)% {2}.*B of|Done in/);
  if (now === undefined) break;
  if (Number(now) >= percent) take(barMs);
  percent = Math.max(percent, Number(now) + percentBetween);
  await person.shows(new RegExp(` (?:${numbersFrom(percent)})%  |Done in`));
}
await person.exited;
take(endMs);

mkdirSync(new URL('.', picture), { recursive: true });
const text = `$ ${command}\n${asInTheImage(person.screen)}`;
const title = 'platform-auth setup logs in, and downloads the game';
const svg = animatedSvg({ title, text, columns, rows, frames });
writeFileSync(picture, svg);
rmSync(directory, { recursive: true });
process.stdout.write(
  `docs/terminal/setup.svg: ${frames.length} screens, ${Math.ceil(svg.length / 1_000)} kB\n`,
);

/** The window as it is now, with the command as its first line until that scrolls away. */
function take(ms: number): void {
  const shown = screenLines(person.terminal).map((line) =>
    line.map((run) => ({ ...run, text: asInTheImage(run.text) })),
  );
  frames.push({ lines: [prompt(command), ...shown].slice(-rows), ms });
}

async function typeInto(question: RegExp, text: string, shownAs?: string): Promise<void> {
  // What closes the frame is drawn last.
  await person.shows(new RegExp(`${question.source}.*└`));
  take(readMs);
  for (let typed = 1; typed <= text.length; typed += 1) {
    person.type(text[typed - 1] ?? '');
    const shown = shownAs?.repeat(typed) ?? text.slice(0, typed);
    await person.shows(new RegExp(`${question.source}.* ${shown}.*└`));
    take(keyMs);
  }
  person.type(keys.enter);
}

function prompt(typed: string): Line {
  return [
    { column: 0, text: '$', look: 'grey' },
    { column: 2, text: typed, look: 'bold' },
  ];
}

function numbersFrom(percent: number): string {
  return Array.from({ length: Math.max(1, 101 - percent) }, (_, at) => percent + at).join('|');
}

function asInTheImage(shown: string): string {
  return shown.replaceAll(directory, sessionDirectory).replaceAll(world.gameDirectory, gameDirectory);
}
