import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '@steward/testing/program';
import { count, seed } from '@steward/testing/scale';
import { seededRandom } from '@steward/testing/seeded-random';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { inTurn } from './stage/key-steps.ts';
import { openedRing } from './stage/opened-ring.ts';

/** The names beside which nothing was told may have been begun as well. */
const mayHaveBegun = 8;

function toldIn(path: string): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const told = new Map<string, Map<string, string>>();
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const [name = '', step = '', secret = ''] = line.split(' ');
    told.set(name, (told.get(name) ?? new Map()).set(step, secret));
  }
  return told;
}

it('killed at any moment, what was told of a key is so, and a retry is told the same and never the secret', {
  timeout: 3_600_000,
}, async () => {
  const random = seededRandom(seed);
  for (let killed = 0; killed < count({ small: 2, long: 150 }); killed += 1) {
    using directory = temporaryDirectory();
    const toldPath = join(directory.path, 'told');
    await using program = new Program('packages/control-api/test/keys/changing-keys.ts', [
      directory.path,
      toldPath,
    ]);
    await program.line(/./, { number: 1 + Math.floor(random() * 30) });
    program.kill('SIGKILL');
    await program.exited;

    const told = toldIn(toldPath);
    await using opened = await openedRing(directory.path);
    const { ring } = opened;
    const states = new Map(ring.list({ ended: true }).map(({ name, state }) => [name, state]));
    for (const [name, steps] of told) {
      expect(states.has(name)).toBe(true);
      // The step after the last that was told may have been done, too.
      const open = states.get(name) === 'active';
      if (steps.has('revoke')) expect(open).toBe(false);
      if (steps.has('rotate')) {
        expect(ring.callerOf(steps.get('create') ?? '')).toBeUndefined();
        expect(ring.callerOf(steps.get('rotate') ?? '') !== undefined).toBe(open);
      }
    }
    const begun = Array.from({ length: mayHaveBegun }, (_, index) => `key-${told.size + index}`);
    for (const name of new Set([...[...told.keys()].slice(-mayHaveBegun), ...begun])) {
      const was = states.get(name);
      for await (const { step, result, secret } of inTurn(ring, name)) {
        expect(result).toMatchObject({ kind: 'operation', operation: { state: 'applied' } });
        if (told.get(name)?.has(step)) expect(secret).toBeUndefined();
        if (step === 'create') expect(secret === undefined).toBe(was !== undefined);
      }
      expect(ring.list({ ended: true }).filter((key) => key.name === name)).toEqual([
        expect.objectContaining({ state: 'revoked' }),
      ]);
    }
  }
});
