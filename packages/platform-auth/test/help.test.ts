import { fileURLToPath } from 'node:url';
import { Program } from '@steward/testing/program';
import { describe, expect, it } from 'vitest';
import { exitCodeRows } from '../src/commands/run/exit-codes.ts';
import { program as description } from '../src/program.ts';

// The sources, whose modules have names.
const entry = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const preload = fileURLToPath(new URL('world/loaded-modules.mjs', import.meta.url));

/** What takes long to load, or has no business in a page of help. */
const heavy = /node_modules\/(?:steam-|@doctormckay|protobufjs|@clack|uqr|fastify|pino|prom-client)/;

const commands = Object.keys(description.commands);

it('says which version it is', async () => {
  await using version = new Program(entry, ['--version']);
  expect(await version.exited).toEqual({ code: 0, signal: null });
  expect(version.stdout).toEqual([expect.stringMatching(/^platform-auth \d+\.\d+\.\d+/)]);
});

describe.each([[], ...commands.map((command) => [command])])('%s --help', (...command) => {
  it('says how it can end, and loads nothing that takes long', async () => {
    await using help = new Program(entry, [...command, '--help'], { NODE_OPTIONS: `--import ${preload}` });
    expect(await help.exited).toEqual({ code: 0, signal: null });
    for (const { code, meaning } of exitCodeRows)
      expect(help.stdout).toContainEqual(expect.stringMatching(new RegExp(`^ +${code} +${meaning}$`)));
    // The list is no empty one.
    expect(help.stderr).toContainEqual(expect.stringContaining('platform-auth/src/program.ts'));
    expect(help.stderr.filter((module) => heavy.test(module))).toEqual([]);
  });
});
