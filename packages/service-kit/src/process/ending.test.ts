import { EventEmitter } from 'node:events';
import { constants } from 'node:os';
import { ManualClock } from '@steward/testing/manual-clock';
import { systemError } from '@steward/testing/system-error';
import { expect, it, vi } from 'vitest';
import { endWithReader, runUntilSignal } from './ending.ts';

function writingProcess() {
  const host = Object.assign(new EventEmitter(), {
    stdout: new EventEmitter(),
    stderr: new EventEmitter(),
    exit: vi.fn(),
  });
  endWithReader(host);
  const breaks = (output: 'stdout' | 'stderr', code: keyof typeof constants.errno) =>
    host[output].emit('error', systemError(constants.errno[code]));
  return { host, breaks };
}

it.each(['stdout', 'stderr'] as const)('ends at once when nobody reads %s', (output) => {
  const { host, breaks } = writingProcess();
  breaks(output, 'EPIPE');
  expect(host.exit).toHaveBeenCalledExactlyOnceWith(1);
});

it('leaves it to whoever stops in order, and tells it once, however many lines fail', () => {
  const { host, breaks } = writingProcess();
  const stop = vi.fn();
  host.on('SIGHUP', stop);
  breaks('stdout', 'EPIPE');
  breaks('stderr', 'EIO');
  expect(stop).toHaveBeenCalledOnce();
  expect(host.exit).not.toHaveBeenCalled();
});

it('leaves alone what the program has closed itself', () => {
  const { host } = writingProcess();
  const stop = vi.fn();
  host.on('SIGHUP', stop);
  host.stdout.emit('error', Object.assign(new Error('The operation was aborted'), { code: 'ABORT_ERR' }));
  expect(stop).not.toHaveBeenCalled();
  expect(host.exit).not.toHaveBeenCalled();
});

it.each(['ENOSPC', 'EDQUOT'] as const)(
  'goes on without a line for which the disk has no room: %s',
  (code) => {
    const { host, breaks } = writingProcess();
    const stop = vi.fn();
    host.on('SIGHUP', stop);
    breaks('stdout', code);
    expect(stop).not.toHaveBeenCalled();
    expect(host.exit).not.toHaveBeenCalled();
  },
);

function arrangement(stop: () => Promise<void> = async () => {}, contain?: (cause: unknown) => boolean) {
  const left = Promise.withResolvers<number>();
  const exits: number[] = [];
  const host = Object.assign(new EventEmitter(), {
    exit(code: number) {
      exits.push(code);
      left.resolve(code);
    },
  });
  const clock = new ManualClock();
  const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn(), fatal: vi.fn() };
  const stopping = vi.fn(stop);
  const contained = contain === undefined ? {} : { contain };
  runUntilSignal({ stop: stopping, logger, limitMs: 10_000, ...contained }, host, clock);
  return {
    host,
    exits,
    left: left.promise,
    advance: (ms: number) => clock.advance(ms),
    logger,
    stop: stopping,
  };
}

const never = (): Promise<void> => new Promise(() => {});

it.each(['SIGINT', 'SIGTERM'])('stops cleanly on the first %s', async (signal) => {
  const { host, left, stop } = arrangement();
  host.emit(signal);
  expect(await left).toBe(0);
  expect(stop).toHaveBeenCalledOnce();
});

it('leaves at once on the second signal, whichever it is', () => {
  const { host, exits, advance, stop } = arrangement(never);
  host.emit('SIGINT');
  advance(1_000);
  host.emit('SIGTERM');
  expect(exits).toEqual([1]);
  expect(stop).toHaveBeenCalledOnce();
});

it('takes one Ctrl-C that arrives twice for one', () => {
  const { host, exits, advance } = arrangement(never);
  host.emit('SIGINT');
  advance(5);
  host.emit('SIGINT');
  expect(exits).toEqual([]);
});

it('leaves with an error when stopping takes longer than its limit', () => {
  const { host, exits, advance } = arrangement(never);
  host.emit('SIGTERM');
  advance(9_999);
  expect(exits).toEqual([]);
  advance(1);
  expect(exits).toEqual([1]);
});

it('leaves with an error, and says so, when stopping fails', async () => {
  const { host, left, logger } = arrangement(async () => {
    throw new Error('the disk is gone');
  });
  host.emit('SIGTERM');
  expect(await left).toBe(1);
  expect(logger.error).toHaveBeenCalledWith({ err: new Error('the disk is gone') }, 'stopping failed');
});

it.each(['uncaughtException', 'unhandledRejection'])(
  'logs an %s and stops cleanly with an error',
  async (event) => {
    const { host, left, logger, stop } = arrangement();
    const cause = new Error('nobody caught this');
    host.emit(event, cause);
    expect(await left).toBe(1);
    expect(stop).toHaveBeenCalledOnce();
    expect(logger.fatal).toHaveBeenCalledWith({ err: cause }, `${event}: stopping`);
  },
);

it.each(['uncaughtException', 'unhandledRejection'])('lives on after an %s that is contained', (event) => {
  const foreign = new Error('from a library');
  const { host, exits, stop } = arrangement(never, (cause) => cause === foreign);
  host.emit(event, foreign);
  expect(stop).not.toHaveBeenCalled();
  host.emit(event, new Error('our own'));
  expect(stop).toHaveBeenCalledOnce();
  expect(exits).toEqual([]);
});

it('does not begin to stop twice when an error comes while it stops', () => {
  const { host, stop, logger } = arrangement(never);
  host.emit('SIGTERM');
  host.emit('unhandledRejection', new Error('late'));
  expect(stop).toHaveBeenCalledOnce();
  expect(logger.fatal).toHaveBeenCalledOnce();
});

it('stops cleanly with an error when nobody is left to read its log', async () => {
  const { host, left, stop } = arrangement();
  host.emit('SIGHUP');
  expect(await left).toBe(1);
  expect(stop).toHaveBeenCalledOnce();
});

it('takes a reader that goes while it stops for no second signal', async () => {
  const stopped = Promise.withResolvers<void>();
  const { host, exits, left, advance } = arrangement(() => stopped.promise);
  host.emit('SIGINT');
  advance(1_000);
  host.emit('SIGHUP');
  expect(exits).toEqual([]);
  stopped.resolve();
  expect(await left).toBe(0);
});
