import { EventEmitter } from 'node:events';
import { ManualClock } from '@steward/testing/manual-clock';
import { expect, it, vi } from 'vitest';
import { Interruption } from './interruption.ts';

function arrangement() {
  const exit = vi.fn();
  const host = Object.assign(new EventEmitter(), { exit });
  const interruption = new Interruption();
  const clock = new ManualClock();
  interruption.listen(host, clock);
  return { host, exit, interruption, clock };
}

const never = new Promise<never>(() => {});

it('hands out what the work comes to', async () => {
  const { interruption } = arrangement();
  expect(await interruption.orEnd(Promise.resolve('done'))).toBe('done');
});

it.each([
  ['SIGINT', 130, 'Interrupted: nothing was changed'],
  ['SIGTERM', 143, 'SIGTERM: nothing was changed'],
  ['SIGHUP', 143, 'SIGHUP: nothing was changed'],
])('%s ends the work with %i', async (signal, exitCode, message) => {
  const { host, interruption } = arrangement();
  const ended = interruption.orEnd(never);
  host.emit(signal);
  await expect(ended).rejects.toMatchObject({ exitCode, message });
});

it('waits for what must be whole, and tells what has become of it', async () => {
  const { host, interruption } = arrangement();
  const saving = Promise.withResolvers<void>();
  const saved = vi.fn(() => {
    interruption.aftermath = 'it is saved';
  });
  const ended = interruption.orEnd(interruption.whole(() => saving.promise.then(saved)));
  host.emit('SIGINT');
  saving.resolve();
  await expect(ended).rejects.toMatchObject({ exitCode: 130, message: 'Interrupted: it is saved' });
  expect(saved).toHaveBeenCalledOnce();
});

it('begins nothing any more that must be whole', () => {
  const { host, interruption } = arrangement();
  const work = vi.fn(async () => {});
  host.emit('SIGINT');
  expect(() => interruption.whole(work)).toThrow('Interrupted');
  expect(work).not.toHaveBeenCalled();
});

it('leaves at once on a second Ctrl-C', () => {
  const { host, exit, clock } = arrangement();
  host.emit('SIGINT');
  expect(exit).not.toHaveBeenCalled();
  clock.advance(301);
  host.emit('SIGINT');
  expect(exit).toHaveBeenCalledWith(130);
});

it('takes one Ctrl-C that comes twice, from the terminal and from npm, for one', async () => {
  const { host, exit, clock, interruption } = arrangement();
  const moving = Promise.withResolvers<void>();
  const ended = interruption.orEnd(interruption.whole(() => moving.promise));
  host.emit('SIGINT');
  for (const ms of [0, 11, 289]) {
    clock.advance(ms);
    host.emit('SIGINT');
  }
  expect(exit).not.toHaveBeenCalled();
  moving.resolve();
  await expect(ended).rejects.toMatchObject({ exitCode: 130 });
});

it('takes an error that escaped a platform library for the platform’s, and any other as it is', async () => {
  const escaped = new Error('quotes a token');
  escaped.stack = 'Error: quotes a token\n    at f (/x/node_modules/steam-user/index.js:1:1)';
  const own = new Error('our own');
  for (const [cause, message] of [
    [escaped, 'An error in a platform library'],
    [own, 'our own'],
  ] as const) {
    const { host, interruption } = arrangement();
    const ended = interruption.orEnd(never);
    host.emit('unhandledRejection', cause);
    await expect(ended).rejects.toThrow(message);
  }
});
