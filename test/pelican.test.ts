import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { variables as farmVariables } from '../packages/control-api/src/configuration.ts';
import { variables as sidecarVariables } from '../packages/platform-auth/src/configuration.ts';
import { readConfiguration } from '../packages/service-kit/src/configuration/read.ts';
import type { VariableTable } from '../packages/service-kit/src/configuration/variable.ts';
import { readyLine } from '../packages/service-kit/src/log/ready-line.ts';
import { eggSchema, obeys } from './pelican/egg-schema.ts';

const directory = new URL('../deploy/pelican/', import.meta.url);

const eggs = [
  ['egg-steward-sidecar.json', sidecarVariables],
  ['egg-steward-farm.json', farmVariables],
] as const satisfies readonly (readonly [string, VariableTable])[];

it('has no egg beside these two', () => {
  expect(readdirSync(directory).sort()).toEqual(eggs.map(([file]) => file).sort());
});

describe.each(eggs)('%s', (file, table: VariableTable) => {
  const egg = eggSchema.parse(JSON.parse(readFileSync(new URL(file, directory), 'utf8')));

  it('is done with starting at the line that every service prints, and is stopped as by Ctrl-C', () => {
    expect(JSON.parse(egg.config.startup)).toEqual({ done: readyLine });
    expect(egg.config.stop).toBe('^C');
  });

  it('offers what its service reads, keeps everything below the home that panels give, and hides each secret', () => {
    for (const { env_variable, user_viewable, user_editable } of egg.variables) {
      expect(Object.keys(table)).toContain(env_variable);
      const isSecret = table[env_variable]?.kind.secret === true;
      expect({ env_variable, user_viewable }).toEqual({ env_variable, user_viewable: !isSecret });
      if (isSecret) expect(user_editable).toBe(false);
    }
    expect(egg.variables).toContainEqual(
      expect.objectContaining({
        env_variable: 'DATA_DIR',
        default_value: '/home/container',
        user_editable: false,
      }),
    );
  });

  it('has defaults that the panel takes, and only secrets that have to be filled in', () => {
    for (const { env_variable, default_value, rules } of egg.variables) {
      const isLeftOpen = default_value === '' && table[env_variable]?.kind.secret === true;
      expect({ env_variable, default_value, taken: isLeftOpen || obeys(default_value, rules) }).toEqual({
        env_variable,
        default_value,
        taken: true,
      });
    }
  });

  it('has defaults that the service reads: as the daemon passes them, the empty ones too', () => {
    const passed = Object.fromEntries(
      egg.variables.map(({ env_variable, default_value }) => [env_variable, default_value]),
    );
    expect(
      readConfiguration(table, { ...passed, API_KEY: 'key', PLATFORM_AUTH_SECRET: 'secret' }),
    ).toMatchObject({
      DATA_DIR: '/home/container',
    });
  });

  it('has no value, and so no secret, in the startup line that everybody with the server sees', () => {
    expect(egg.startup + egg.config.files).not.toContain('{{');
  });

  it('installs by a script of the shell that it names', () => {
    const { script, entrypoint } = egg.scripts.installation;
    expect(script.split('\n').slice(0, 2)).toEqual([`#!/bin/${entrypoint}`, 'set -eu']);
    expect(script).not.toContain('\r');
  });
});

describe('the farm’s egg', () => {
  it('stops within the ten seconds after which Pelican kills: it sees nobody off, and the game has less', () => {
    const { variables } = eggSchema.parse(JSON.parse(readFileSync(new URL(eggs[1][0], directory), 'utf8')));
    const value = (name: string) =>
      Number(variables.find(({ env_variable }) => env_variable === name)?.default_value);
    expect(value('STOP_DRAIN_SECONDS') + value('GAME_STOP_TIMEOUT')).toBeLessThan(10);
  });
});

it('has a sidecar that downloads nothing look for the game where the page mounts what another one downloads', () => {
  const [sidecar = [], farm = []] = eggs.map(([file]) => {
    const { variables } = eggSchema.parse(JSON.parse(readFileSync(new URL(file, directory), 'utf8')));
    return variables;
  });
  const marker = farm.find(({ env_variable }) => env_variable === 'GAME_MARKER')?.default_value ?? '';
  const page = readFileSync(new URL('../docs/panels.md', import.meta.url), 'utf8');
  expect(page).toContain(`\`PLATFORM_DOWNLOAD=off\` and \`GAME_DIR=${dirname(marker)}\``);
  expect(sidecar).toContainEqual(
    expect.objectContaining({ env_variable: 'GAME_DIR', default_value: '/home/container/game' }),
  );
});

describe('what an egg is held to', () => {
  const [[file]] = eggs;
  const good = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(readFileSync(new URL(file, directory), 'utf8')));
  const variable = { ...eggSchema.parse(good).variables[0], env_variable: 'OTHER' };

  it.each([
    ['a version that no panel knows', { meta: { version: 'PTDL_v9', update_url: null } }],
    ['no image', { docker_images: {} }],
    ['an image under a name that no form takes', { docker_images: { 'Ours, small': 'ours' } }],
    ['no startup', { startup: '' }],
    ['settings that are no JSON', { config: { files: '{', startup: '{}', logs: '{}', stop: '^C' } }],
    [
      'an object where panels want its text',
      { config: { files: {}, startup: '{}', logs: '{}', stop: '^C' } },
    ],
    ['a member that no panel reads', { variable: [] }],
    ['an author without an address', { author: 'Steward' }],
    ['a variable that panels keep for themselves', { variables: [{ ...variable, env_variable: 'STARTUP' }] }],
    ['a variable twice', { variables: [variable, variable] }],
    ['a rule that is none of Laravel’s', { variables: [{ ...variable, rules: 'required|strnig' }] }],
    ['a rule without its bounds', { variables: [{ ...variable, rules: 'required|between' }] }],
  ])('is not %s', (_what, change) => {
    expect(eggSchema.safeParse({ ...good, ...change }).success).toBe(false);
  });

  it.each([
    ['', 'nullable|string', true],
    ['', 'required|string', false],
    ['seven', 'required|integer', false],
    ['601', 'required|integer|between:1,600', false],
    ['600', 'required|integer|between:1,600', true],
    ['yes', 'required|string|in:true,false', false],
  ])('takes %j for %s: %s', (value, rules, isTaken) => {
    expect(obeys(value, rules)).toBe(isTaken);
  });
});
