import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type Fault, faults } from '@steward/testing/game/faults';
import { scriptedGame } from '@steward/testing/program';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { it } from 'vitest';
import { allRules, drive, reportLines, summary } from '../src/conformance.ts';
import { ListenBench, SpawnBench } from '../src/driver/bench.ts';
import type { Patience } from '../src/driver/patience.ts';

/** A game that keeps the rules needs the longer one only on a slow machine; a broken one always uses it up. */
const patience: Patience = {
  startsMs: 20_000,
  comesMs: 10_000,
  exitsMs: 10_000,
  staysAwayMs: 600,
  limits: limitsOf(10_000),
};
const short: Patience = {
  startsMs: 5_000,
  comesMs: 2_000,
  exitsMs: 2_000,
  staysAwayMs: 1_000,
  limits: limitsOf(2_000),
};

function limitsOf(ms: number): Patience['limits'] {
  return { hello: ms, claim: ms, frozen: ms, journal: ms, asked: ms };
}

function command(directory: string, ...args: string[]): string[] {
  return [process.execPath, scriptedGame, '--save', `${directory}/farm.json`, ...args];
}

/** A game of its own that dials, ended with the block. */
function dialling(directory: string, ...args: string[]): Disposable {
  const [file = '', ...rest] = command(directory, ...args);
  const child: ChildProcess = spawn(file, rest, { stdio: 'ignore' });
  return { [Symbol.dispose]: () => child.kill('SIGKILL') };
}

function uncheckedOf(findings: Awaited<ReturnType<typeof drive>>): string[] {
  return findings
    .filter(({ verdict }) => verdict === 'not checked')
    .map(({ rule }) => rule.id)
    .sort();
}

it.concurrent('finds every rule kept by the scripted game that it starts', async ({ expect }) => {
  using directory = temporaryDirectory();
  const inFolders = command(directory.path, '--saves', `${directory.path}/saves`);
  const findings = await drive(new SpawnBench(inFolders), allRules, patience);
  expect(findings.filter(({ verdict }) => verdict === 'broken').map(reportLines)).toEqual([]);
  expect(findings.filter(({ verdict }) => verdict === 'not checked').map(({ rule }) => rule.id)).toEqual([
    'reconnect',
    'lost-claim',
  ]);
}, 60_000);

it.concurrent.for([{ kind: 'unix' }, { kind: 'tcp' }])(
  'finds every rule kept by the scripted game that dials over $kind',
  { timeout: 60_000 },
  async ({ kind }, { expect }) => {
    using directory = temporaryDirectory();
    const at = kind === 'unix' ? { path: `${directory.path}/game.sock` } : { host: '127.0.0.1', port: 0 };
    const bench = await ListenBench.open(at, kind === 'tcp' ? 'between us' : undefined);
    using _game = dialling(
      directory.path,
      '--dial',
      bench.where,
      ...(kind === 'tcp' ? ['--secret', 'between us'] : []),
    );
    const findings = await drive(bench, allRules, patience);
    expect(findings.filter(({ verdict }) => verdict === 'broken').map(reportLines)).toEqual([]);
    expect(findings.filter(({ verdict }) => verdict === 'kept').length).toBe(allRules.length - 3);
  },
);

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

/** What the smallest games do not do: play with others, keep several farms, draw. */
const beyond = [
  'lobby-visibility',
  'kick-offline',
  'announcements',
  'sent-chat',
  'farms',
  'new-farm',
  'load-farm',
  'screenshot',
];

it.concurrent.for([
  { example: 'smallest-game.mjs', program: process.execPath },
  { example: 'smallest_game.py', program: '/usr/bin/python3' },
])(
  'finds every rule kept by examples/$example when it is spawned',
  async ({ example, program }, { expect }) => {
    using directory = temporaryDirectory();
    const game = ['env', `FARM_FILE=${directory.path}/farm.json`, program, `${examples}${example}`];
    const findings = await drive(new SpawnBench(game), allRules, patience);
    expect(findings.filter(({ verdict }) => verdict === 'broken').map(reportLines)).toEqual([]);
    expect(uncheckedOf(findings)).toEqual([...beyond, 'reconnect', 'lost-claim'].sort());
  },
);

it.concurrent('finds every rule kept by examples/smallest-game.mjs when it dials', async ({ expect }) => {
  using directory = temporaryDirectory();
  const bench = await ListenBench.open({ path: `${directory.path}/game.sock` });
  const child = spawn(process.execPath, [`${examples}smallest-game.mjs`, `${directory.path}/game.sock`], {
    env: { FARM_FILE: `${directory.path}/farm.json` },
    stdio: 'ignore',
  });
  using _game = { [Symbol.dispose]: () => child.kill('SIGKILL') };
  const findings = await drive(bench, allRules, patience);
  expect(findings.filter(({ verdict }) => verdict === 'broken').map(reportLines)).toEqual([]);
  expect(uncheckedOf(findings)).toEqual([...beyond, 'journal-follows-save', 'input-end', 'stop'].sort());
});

it.concurrent('does not try every rule on a game that never says a word', async ({ expect }) => {
  const findings = await drive(new SpawnBench([process.execPath, '--eval', '']), allRules, patience);
  expect(findings.map(({ verdict }) => verdict)).toEqual([
    'broken',
    ...allRules.slice(1).map(() => 'not checked'),
  ]);
});

it.concurrent('misses the secret that a game does not send', async ({ expect }) => {
  using directory = temporaryDirectory();
  const bench = await ListenBench.open({ host: '127.0.0.1', port: 0 }, 'between us');
  using _game = dialling(directory.path, '--dial', bench.where);
  const findings = await drive(bench, allRules.slice(0, 1), short);
  expect(summary(findings)).toContain('Broken: hello');
});

/** What stands in the smallest game, and what stands there instead: another game, as its author might write it. */
function smallestGameBut(directory: string, changes: readonly (readonly [string, string])[]): SpawnBench {
  let program = readFileSync(`${examples}smallest-game.mjs`, 'utf8');
  for (const [its, instead] of changes) {
    if (!program.includes(its)) throw new Error(`the smallest game has no ${its}`);
    program = program.replace(its, instead);
  }
  const file = `${directory}/game.mjs`;
  writeFileSync(file, program);
  return new SpawnBench(['env', `FARM_FILE=${directory}/farm.json`, process.execPath, file]);
}

it.concurrent('finds every rule kept by a game that takes one command after the other', async ({
  expect,
}) => {
  using directory = temporaryDirectory();
  const oneAfterTheOther = smallestGameBut(directory.path, [
    [
      '    inHand.set(',
      '    if (inHand.size > 0) return setTimeout(take, 20, id, name, { command, ...params });\n    inHand.set(',
    ],
  ]);
  const findings = await drive(oneAfterTheOther, allRules, patience);
  expect(findings.filter(({ verdict }) => verdict === 'broken').map(reportLines)).toEqual([]);
});

it.concurrent('takes no log line of a mod loader on standard output for a message', async ({ expect }) => {
  using directory = temporaryDirectory();
  const logging = smallestGameBut(directory.path, [
    [
      'const file =',
      `console.log('[12:00:01 INFO  SMAPI] Loading mods...');
      console.log('[12:00:02 DEBUG Steward] -> {"jsonrpc":"2.0","method":"tick"}');
      const file =`,
    ],
  ]);
  const rules = allRules.filter(({ id }) => ['hello', 'valid-messages'].includes(id));
  const findings = await drive(logging, rules, patience);
  expect(findings.map(({ verdict }) => verdict)).toEqual(['kept', 'kept']);
});

it.concurrent('waits for the hello of a game whose mod loader prints JSON first, which it reports as malformed', async ({
  expect,
}) => {
  using directory = temporaryDirectory();
  const loading = smallestGameBut(directory.path, [
    ['const file =', 'console.log(\'{"event":"loading"}\');\nconst file ='],
    ["  ask('hello', hello, (", "  setTimeout(ask, 300, 'hello', hello, ("],
  ]);
  const ids = ['hello', 'valid-messages', 'whole-state'];
  const rules = allRules.filter(({ id }) => ids.includes(id));
  const findings = await drive(loading, rules, patience);
  expect(findings.map(({ rule, verdict }) => `${rule.id} ${verdict}`)).toEqual([
    'hello kept',
    'valid-messages broken',
    'whole-state kept',
  ]);
  expect(findings.map(reportLines).join()).toContain('{"event":"loading"}');
});

it.concurrent('does not try every rule on a game that prints JSON and says no hello', async ({ expect }) => {
  const printing = [process.execPath, '--eval', 'console.log(\'{"event":"loading"}\')'];
  const findings = await drive(new SpawnBench(printing), allRules, patience);
  expect(findings.map(({ verdict }) => verdict)).toEqual([
    'broken',
    'broken',
    ...allRules.slice(2).map(() => 'not checked'),
  ]);
  expect(findings[1]?.rule.id).toBe('valid-messages');
});

it.concurrent('tells the game, as the control API does, how it was started', async ({ expect }) => {
  using directory = temporaryDirectory();
  const asking = smallestGameBut(directory.path, [
    ['else\n  speak(process.stdin', "else if (process.env.GAME_BRIDGE === 'spawn')\n  speak(process.stdin"],
  ]);
  const findings = await drive(asking, allRules.slice(0, 1), patience);
  expect(findings.map(({ rule, verdict }) => `${rule.id} ${verdict}`)).toEqual(['hello kept']);
});

it.concurrent.for([
  { of: 'commands', ids: ['unanswered-claim', 'applied-once', 'journal-follows-save', 'input-end', 'stop'] },
  { of: 'farms', ids: ['farms'] },
])(
  'waits for the farm of a game that says hello at its title screen, for the rules of $of',
  async ({ ids }, { expect }) => {
    using directory = temporaryDirectory();
    const loadsLater = `const tell = () => send({ method: 'state', params: wholeState() });
      tell();
      setTimeout(() => {
        isLoaded = true;
        tell();
      }, 300);`;
    const farms = "{ farms: [{ id: farm.farmId, farmName: 'Smallest', isLoaded }] }";
    const fromTitle = smallestGameBut(directory.path, [
      ['const wholeState', 'let isLoaded = false;\nconst wholeState'],
      ['  farm: identity(),\n  status', '  farm: isLoaded ? identity() : null,\n  status'],
      ['(commands),\n    farm: identity(),', '(commands),'],
      [
        'commands[name].refusal?.(params)',
        "isLoaded ? commands[name].refusal?.(params) : { code: 'not-ready', message: 'no farm is loaded' }",
      ],
      [
        'journalEntry(command) {\n    const known = farm',
        'journalEntry(command) {\n    const known = isLoaded && farm',
      ],
      ["send({ method: 'state', params: wholeState() });", loadsLater],
      ['Object.keys(commands)', "[...Object.keys(commands), 'farms']"],
      [
        "else if (method === 'journal')",
        `else if (method === 'farms') send({ id, result: ${farms} });\n    else if (method === 'journal')`,
      ],
    ]);
    const rules = allRules.filter(({ id }) => ids.includes(id));
    const findings = await drive(fromTitle, rules, patience);
    expect(findings.filter(({ verdict }) => verdict !== 'kept').map(reportLines)).toEqual([]);
  },
);

it.concurrent('finds what is malformed long after the first state, under whichever rule it comes', async ({
  expect,
}) => {
  using directory = temporaryDirectory();
  const bench = smallestGameBut(directory.path, [
    [
      'params: { farm: identity(), status: status() }',
      'params: { status: { ...status(), season: "Spring" } }',
    ],
  ]);
  const ids = ['valid-messages', 'claim-before-apply', 'input-end'];
  const rules = allRules.filter(({ id }) => ids.includes(id));
  const told: string[] = [];
  const findings = await drive(bench, rules, patience, {
    found: (finding) => told.push(reportLines(finding)),
  });
  expect(findings.map(({ rule, verdict }) => `${rule.id} ${verdict}`)).toEqual([
    'valid-messages broken',
    'claim-before-apply kept',
    'input-end kept',
  ]);
  expect(told.at(-1)).toContain('What happened: state is malformed: status.season');
});

it.concurrent.for([
  { where: 'its answer', its: 'after: shown()', instead: 'after: {}', what: 'setTime' },
  {
    where: 'its journal',
    its: '{ command, outcome }]',
    instead: '{ command, outcome: { ...outcome, after: {} } }]',
    what: 'setTime in the journal',
  },
])('finds a change told in another form in $where', async ({ its, instead, what }, { expect }) => {
  using directory = temporaryDirectory();
  const bench = smallestGameBut(directory.path, [[its, instead]]);
  const rules = allRules.filter(({ id }) => id === 'journal');
  const findings = await drive(bench, rules, patience);
  expect(findings.map(reportLines).join()).toContain(`\`after\` of ${what} is malformed: timeOfDay`);
});

const limitMs = 1_000;
/** Later than any standstill of the machine. */
const lateMs = 60 * limitMs;

it.concurrent.for([
  {
    id: 'claim-before-apply',
    its: "ask('claim', { command }, (",
    instead: `setTimeout(ask, ${lateMs}, 'claim', { command }, (`,
    what: `no claim came within ${limitMs} ms`,
  },
  {
    id: 'ticks',
    its: '}, 250);',
    instead: `}, ${lateMs});`,
    what: `no tick came within ${limitMs} ms`,
  },
  {
    id: 'journal',
    its: 'send({ id, result: { entries: params.commands.map(journalEntry) } });',
    instead: `setTimeout(send, ${lateMs}, { id, result: { entries: params.commands.map(journalEntry) } });`,
    what: `journal was not answered within ${limitMs} ms`,
  },
])('finds $id broken by what comes too late for the control API', async (late, { expect }) => {
  using directory = temporaryDirectory();
  const bench = smallestGameBut(directory.path, [[late.its, late.instead]]);
  const rules = allRules.filter(({ id }) => id === late.id);
  const findings = await drive(bench, rules, { ...patience, limits: limitsOf(limitMs) });
  expect(findings.map(reportLines).join()).toContain(`What happened: ${late.what}`);
});

it.concurrent('gives a game that dials the control API’s time for its hello, not that of one that loads', async ({
  expect,
}) => {
  using directory = temporaryDirectory();
  const bench = await ListenBench.open({ path: `${directory.path}/game.sock` });
  const silent = connect(`${directory.path}/game.sock`);
  using _game = { [Symbol.dispose]: () => silent.destroy() };
  const findings = await drive(bench, allRules.slice(0, 1), { ...patience, limits: limitsOf(100) });
  expect(findings.map(reportLines).join()).toContain('What happened: no hello came within 100 ms');
});

it.concurrent('misses the protocol of a game that speaks another major version', async ({ expect }) => {
  using directory = temporaryDirectory();
  const bench = smallestGameBut(directory.path, [['{ major: 1, minor: 1 }', '{ major: 2, minor: 0 }']]);
  const findings = await drive(bench, allRules.slice(0, 1), patience);
  expect(findings.map(reportLines).join()).toContain(
    "What happened: the game speaks the protocol's major version 2, not 1",
  );
});

it.concurrent.for(['not-ready', 'saving', 'busy'])(
  'does not call a game broken that refuses everything for the moment as %s',
  async (code, { expect }) => {
    using directory = temporaryDirectory();
    const bench = smallestGameBut(directory.path, [
      ['commands[name].refusal?.(params)', `{ code: '${code}', message: 'not now' }`],
    ]);
    const findings = await drive(bench, allRules, patience);
    expect(findings.filter(({ verdict }) => verdict === 'broken').map(reportLines)).toEqual([]);
    expect(findings.find(({ rule }) => rule.id === 'stop')?.what).toBe(
      `stop ended {"outcome":"refused","code":"${code}","message":"not now"}; try again`,
    );
  },
);

const broken = (Object.entries(faults) as [Fault, string][]).map(([fault, id]) => ({ fault, id }));

it.concurrent.for(broken)(
  'names the rule that a game breaks: $fault',
  { timeout: 60_000 },
  async ({ fault, id }, { expect }) => {
    using directory = temporaryDirectory();
    const rules = allRules.filter((rule) => rule.id === id);
    const dials = rules[0]?.only === 'listen';
    const bench = dials
      ? await ListenBench.open({ path: `${directory.path}/game.sock` })
      : new SpawnBench(command(directory.path, '--break', fault));
    using _game = dials ? dialling(directory.path, '--dial', bench.where, '--break', fault) : undefined;
    const findings = await drive(bench, rules, short);
    expect(findings.map(({ rule, verdict }) => `${rule.id} ${verdict}`)).toEqual([`${id} broken`]);
    expect(findings.map(reportLines).join()).toContain('What to do:');
  },
);
