import { type Scope, scopeNames } from '@steward/shared/scopes';
import { ManualClock } from '@steward/testing/manual-clock';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Caller } from '../../src/keys/caller.ts';
import type { KeyChanged } from '../../src/keys/key-ring.ts';
import { openedRing } from './stage/opened-ring.ts';

const hourMs = 60 * 60 * 1_000;

interface ModelKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number;
  /** Its secrets, the oldest first. */
  readonly told: string[];
  /** Each with until when it opens. */
  secrets: Map<string, number>;
  ended?: 'revoked' | 'expired';
}

/** What the keys are to be, by the rules alone: no index, no timer, no disk. */
class Model {
  readonly keys: ModelKey[] = [];
  /** Every secret that there ever was. */
  readonly secrets: string[] = [];
  /** Those that are known as ended once they are: over a restart, of each key the last and the one before. */
  known = new Set<string>();

  active(name: string): ModelKey | undefined {
    return this.keys.find((key) => key.ended === undefined && key.name.toLowerCase() === name.toLowerCase());
  }

  /** Whose key it is that this opens. */
  opens(secret: string): ModelKey | undefined {
    return this.keys.find((key) => key.secrets.has(secret));
  }

  make(key: ModelKey, secret: string): void {
    this.told(key, secret);
    this.keys.push(key);
    key.secrets.set(secret, key.expiresAt);
  }

  rotate(key: ModelKey, secret: string, oldUntil: number): void {
    const last = key.told.at(-1) ?? '';
    this.told(key, secret);
    key.secrets = new Map([
      [last, Math.min(key.expiresAt, oldUntil)],
      [secret, key.expiresAt],
    ]);
  }

  told(key: ModelKey, secret: string): void {
    this.secrets.push(secret);
    this.known.add(secret);
    key.told.push(secret);
  }

  restart(): void {
    this.known = new Set(this.keys.flatMap(({ told }) => told.slice(-2)));
  }

  now(now: number): void {
    for (const key of this.keys.filter(({ ended }) => ended === undefined)) {
      key.secrets = new Map([...key.secrets].filter(([, until]) => until > now));
      if (key.expiresAt <= now) key.ended = 'expired';
    }
  }
}

const name = fc.constantFrom('a', 'A', 'b', 'c', 'd');
const step = fc.oneof(
  fc.record({
    do: fc.constant('create'),
    name,
    scopes: fc.subarray([...scopeNames], { minLength: 1 }),
    hours: fc.constantFrom(undefined, 1, 24, 70 * 24),
  }),
  fc.record({ do: fc.constant('revoke'), name }),
  fc.record({ do: fc.constant('rotate'), name, graceSeconds: fc.constantFrom(0, 60, 7 * 24 * 60 * 60) }),
  fc.record({
    do: fc.constant('pass'),
    ms: fc.constantFrom(1, 59_999, 60_000, hourMs, 24 * hourMs, 30 * 24 * hourMs),
  }),
  fc.record({ do: fc.constant('restart') }),
);

function secretOf({ secret }: KeyChanged): string {
  if (secret === undefined) throw new Error('a new secret was not told');
  return secret;
}

it('keys live as the rules say, whatever is done to them and however often the service starts again', {
  timeout: 3_600_000,
}, async () => {
  const asserted = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
    using directory = temporaryDirectory();
    const clock = new ManualClock();
    const nowMs = () => clock.date().getTime();
    const model = new Model();
    let opened = await openedRing(directory.path, clock);
    /** Who has been told of, and who has been seen. */
    let ended: Caller[] = [];
    let callers = new Map<string, Caller>();
    opened.ring.onEnded((caller) => ended.push(caller));
    for (const each of steps) {
      const { ring } = opened;
      if (each.do === 'pass') clock.advance(each.ms);
      else if (each.do === 'restart') {
        await opened[Symbol.asyncDispose]();
        opened = await openedRing(directory.path, clock);
        model.restart();
        ended = [];
        callers = new Map();
        opened.ring.onEnded((caller) => ended.push(caller));
      } else if (each.do === 'create') {
        const { hours, scopes } = each;
        const expires = hours === undefined ? undefined : { afterMs: hours * hourMs };
        const making = ring.create({ name: each.name, scopes, expires }, undefined);
        if (model.active(each.name) !== undefined)
          await expect(making).rejects.toMatchObject({ code: 'key-name-taken' });
        else {
          const expiresAt = hours === undefined ? Number.POSITIVE_INFINITY : nowMs() + hours * hourMs;
          const key = { name: each.name, scopes, expiresAt, told: [], secrets: new Map() };
          model.make(key, secretOf(await making));
        }
      } else {
        const key = model.active(each.name);
        const changing =
          each.do === 'revoke'
            ? ring.revoke({ name: each.name }, undefined)
            : ring.rotate({ name: each.name }, each.graceSeconds, undefined);
        if (key === undefined) await expect(changing).rejects.toMatchObject({ code: 'key-not-found' });
        else if (each.do === 'rotate')
          model.rotate(key, secretOf(await changing), nowMs() + each.graceSeconds * 1_000);
        else {
          await changing;
          key.ended = 'revoked';
          key.secrets.clear();
        }
      }
      model.now(nowMs());
      for (const secret of model.secrets) {
        const key = model.opens(secret);
        const caller = opened.ring.callerOf(secret);
        const known = callers.get(secret);
        if (caller !== undefined) callers.set(secret, caller);
        expect(caller && { name: caller.name, scopes: [...caller.scopes] }).toEqual(
          key && { name: key.name, scopes: key.scopes },
        );
        if (caller === undefined)
          expect(opened.ring.refusalOf(secret).code).toBe(
            model.known.has(secret) ? 'key-ended' : 'unauthorized',
          );
        // The same object as long as it opens, and told once when it does not any more.
        if (known !== undefined && caller !== undefined) expect(caller).toBe(known);
        if (known !== undefined)
          expect(ended.filter((one) => one === known)).toHaveLength(caller === undefined ? 1 : 0);
      }
      const listed = opened.ring.list({ ended: true }).toReversed();
      expect(listed.map((one) => [one.name, one.state])).toEqual(
        model.keys.map((one) => [one.name, one.ended ?? 'active']),
      );
    }
    await opened[Symbol.asyncDispose]();
  });
  await fc.assert(asserted, { numRuns: count({ small: 15, long: 1_500 }) });
});
