import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { waits } from '../platform/backoff.ts';
import type { Failure, FailureClass } from '../platform/failure.ts';
import {
  initialModel,
  type SessionEffect,
  type SessionEvent,
  type SessionModel,
  type SourceReference,
  step,
} from './session-machine.ts';

const token: SourceReference = { id: 'token', kind: 'environment-token' };
const saved: SourceReference = { id: 'saved', kind: 'saved-session' };
const password: SourceReference = { id: 'password', kind: 'password' };

function failure(failureClass: FailureClass): Failure {
  return { class: failureClass, reason: `it was ${failureClass}` };
}

/** The model and the effects of the last event, after all of them in a row, a second apart. */
function run(...events: SessionEvent[]): { model: SessionModel; effects: readonly SessionEffect[] } {
  return events.reduce<{ model: SessionModel; effects: readonly SessionEffect[] }>(
    ({ model }, event, index) => step(model, event, { nowMs: 1_000 * (index + 1), random: 0.5, paceMs: 0 }),
    { model: initialModel(0), effects: [] },
  );
}

const sources = (...list: SourceReference[]): SessionEvent => ({ type: 'sources', sources: list });
const failed = (failureClass: FailureClass): SessionEvent => ({
  type: 'failed',
  failure: failure(failureClass),
});
const loggedOn: SessionEvent = { type: 'logged-on', restsOn: saved.id };
const retryDue: SessionEvent = { type: 'retry-due' };

describe('sources', () => {
  it('are tried in their order, each once', () => {
    const first = run(sources(token, saved, password));
    expect(first.effects).toEqual([{ type: 'log-on', source: token }]);
    const second = run(sources(token, saved, password), failed('dead-credential'));
    expect(second.effects).toEqual([{ type: 'log-on', source: saved }]);
    const none = run(sources(token, saved), failed('dead-credential'), failed('dead-credential'));
    expect(none.effects).toEqual([]);
    expect(none.model.state.name).toBe('credentials-refused');
  });

  it('that all are dead wait for a new one, which is tried at once', () => {
    const dead = [sources(saved), failed('dead-credential')];
    expect(run(...dead, sources(saved)).effects).toEqual([]);
    const renewed = { ...saved, id: 'saved by another process' };
    expect(run(...dead, sources(renewed)).effects).toEqual([{ type: 'log-on', source: renewed }]);
  });

  it('that are gone leave no account', () => {
    expect(run(sources(saved), failed('dead-credential'), sources()).model.state.name).toBe('no-account');
  });

  it.each(['transient', 'rate-limited', 'replaced'] as const)(
    'that are new end the wait of %s, once',
    (failureClass) => {
      const waiting = [sources(saved), failed(failureClass)];
      const renewed = { ...saved, id: 'saved by another process' };
      expect(run(...waiting, sources(renewed)).effects).toEqual([{ type: 'log-on', source: renewed }]);
      expect(run(...waiting, sources(saved)).effects).toEqual([]);
      expect(run(...waiting, sources(renewed), failed(failureClass), sources(renewed)).effects).toEqual([]);
    },
  );

  it('that a disk hides for a moment are no news, nor is one that another goes before', () => {
    const waiting = [sources(token), failed('rate-limited')];
    expect(run(...waiting, sources(), sources(token)).effects).toEqual([]);
    expect(run(...waiting, sources(token, saved)).effects).toEqual([]);
  });

  it('that change leave a session alone', () => {
    const { model, effects } = run(sources(saved), loggedOn, sources(token));
    expect(effects).toEqual([]);
    expect(model.state.name).toBe('logged-in');
  });
});

describe('a lost session', () => {
  it('is tried again with growing waits', () => {
    const waitsOf = (count: number): number[] =>
      Array.from({ length: count }, (_, index) => {
        const events = Array.from({ length: index }, () => [failed('transient'), retryDue]).flat();
        const [effect] = run(sources(saved), ...events, failed('transient')).effects;
        return effect?.type === 'wait' ? effect.ms : 0;
      });
    const found = waitsOf(12);
    expect(found.slice(0, 3)).toEqual([1_500, 3_000, 6_000]);
    expect(found.at(-1)).toBe(waits.transient.longestMs * 1.5);
  });

  it('that was stable starts again from the shortest wait, one that flaps does not', () => {
    const flapping = run(
      sources(saved),
      loggedOn,
      failed('transient'),
      retryDue,
      loggedOn,
      failed('transient'),
    );
    expect(flapping.effects).toEqual([{ type: 'wait', ms: 3_000 }]);
    const { model } = run(sources(saved), loggedOn, failed('transient'), retryDue, loggedOn);
    const hoursLater = { nowMs: 10_000_000, random: 0.5, paceMs: 0 };
    expect(step(model, failed('transient'), hoursLater).effects).toEqual([{ type: 'wait', ms: 1_500 }]);
  });
});

describe('a session that a password has begun, and that the platform ends for good', () => {
  const { model } = run(sources(password), loggedOn);
  const dead = failed('dead-credential');
  const after = (nowMs: number) => {
    const at = { nowMs, random: 0.5, paceMs: 0 };
    return step(step(model, sources(saved, password), at).model, dead, at);
  };

  it('costs its token where it held: the password is as good as before', () => {
    expect(after(10_000_000).effects).toEqual([{ type: 'log-on', source: password }]);
  });

  it('costs the password where it did not, which would log in again and again', () => {
    const { model: next, effects } = after(10_000);
    expect(effects).toEqual([{ type: 'log-on', source: saved }]);
    const last = step(next, dead, { nowMs: 11_000, random: 0.5, paceMs: 0 });
    expect(last.model.state.name).toBe('credentials-refused');
  });
});

describe('failures of one class', () => {
  const waitOf = (...events: SessionEvent[]): number => {
    const [effect] = run(sources(saved), ...events).effects;
    return effect?.type === 'wait' ? effect.ms : 0;
  };
  const fourTimes = Array.from({ length: 4 }, () => [failed('transient'), retryDue]).flat();

  it.each(['rate-limited', 'replaced'] as const)('do not lengthen the first wait of %s', (failureClass) => {
    expect(waitOf(...fourTimes, failed(failureClass))).toBe(waits[failureClass].firstMs * 1.1);
  });

  it('are forgotten once another class has come between', () => {
    expect(waitOf(...fourTimes, failed('replaced'), retryDue, failed('transient'))).toBe(1_500);
    expect(waitOf(failed('replaced'), retryDue, failed('replaced'))).toBe(waits.replaced.firstMs * 2.2);
  });
});

const anyClass = fc.constantFrom<FailureClass>('transient', 'rate-limited', 'replaced', 'dead-credential');
const anySource = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    kind: fc.constantFrom(token.kind, saved.kind, password.kind),
  })
  .map((source): SourceReference => source);
const anyEvent: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc
    .uniqueArray(anySource, { selector: ({ id }) => id, maxLength: 3 })
    .map((list): SessionEvent => ({ type: 'sources', sources: list })),
  fc.constant<SessionEvent>(loggedOn),
  fc.constant<SessionEvent>(retryDue),
  anyClass.map(failed),
);

it('keeps its promises through every sequence of events', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyEvent, fc.double({ min: 0, max: 0.999, noNaN: true })), { maxLength: 60 }),
      (events) => {
        let model = initialModel(0);
        let nowMs = 0;
        /** Of one class in a row, told apart by this test itself. No session here lives long enough to be a stable one. */
        let inARow = { class: '', failures: 0 };
        for (const [event, random] of events) {
          const before = model;
          nowMs += 700;
          const next = step(model, event, { nowMs, random, paceMs: 0 });
          model = next.model;
          const counts = before.state.name === 'logging-in' || before.state.name === 'logged-in';
          if (event.type === 'failed' && counts) {
            const { class: name } = event.failure;
            inARow = { class: name, failures: name === inARow.class ? inARow.failures + 1 : 1 };
          }
          const logOns = next.effects.filter(({ type }) => type === 'log-on');
          // One login at a time, and only in the state that says so.
          expect(logOns.length).toBe(
            model.state.name === 'logging-in' && model.state !== before.state ? 1 : 0,
          );
          for (const effect of next.effects) {
            if (effect.type === 'log-on') expect(model.refused.has(effect.source.id)).toBe(false);
          }
          // It only comes to rest where an operator has to act; everywhere else something will happen.
          if (model.state.name === 'waiting') {
            const { class: name } = model.state.failure;
            const { firstMs, longestMs, jitter } = waits[name];
            const least = Math.min(firstMs * 2 ** (inARow.failures - 1), longestMs);
            const ms = model.state.untilMs - model.sinceMs;
            expect(ms).toBeGreaterThanOrEqual(least);
            expect(ms).toBeLessThanOrEqual(Math.ceil(least * (1 + jitter)));
            if (model.state !== before.state)
              expect(next.effects).toEqual([expect.objectContaining({ type: 'wait' })]);
          }
          if (model.state.name === 'credentials-refused')
            expect(model.sources.every(({ id }) => model.refused.has(id))).toBe(true);
          if (model.state.name === 'logged-in' && before.state.name !== 'logged-in')
            expect(event.type).toBe('logged-on');
        }
      },
    ),
  );
});

it('waits at least half an hour when the platform counts too many logins', () => {
  expect(waits['rate-limited'].firstMs).toBeGreaterThanOrEqual(30 * 60_000);
});
