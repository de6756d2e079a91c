import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { endWithReader } from './end-with-reader.ts';

function arrangement() {
  const host = Object.assign(new EventEmitter(), {
    stdout: new EventEmitter(),
    stderr: new EventEmitter(),
    exit: vi.fn(),
  });
  endWithReader(host);
  const breaks = (output: 'stdout' | 'stderr', code: string) =>
    host[output].emit('error', Object.assign(new Error(`write ${code}`), { code, errno: -1 }));
  return { host, breaks };
}

it.each(['stdout', 'stderr'] as const)('ends at once when nobody reads %s', (output) => {
  const { host, breaks } = arrangement();
  breaks(output, 'EPIPE');
  expect(host.exit).toHaveBeenCalledExactlyOnceWith(1);
});

it('leaves it to whoever stops in order, and tells it once, however many lines fail', () => {
  const { host, breaks } = arrangement();
  const stop = vi.fn();
  host.on('SIGHUP', stop);
  breaks('stdout', 'EPIPE');
  breaks('stderr', 'EIO');
  expect(stop).toHaveBeenCalledOnce();
  expect(host.exit).not.toHaveBeenCalled();
});

it('leaves alone what the program has closed itself', () => {
  const { host } = arrangement();
  const stop = vi.fn();
  host.on('SIGHUP', stop);
  host.stdout.emit('error', Object.assign(new Error('The operation was aborted'), { code: 'ABORT_ERR' }));
  expect(stop).not.toHaveBeenCalled();
  expect(host.exit).not.toHaveBeenCalled();
});

it.each(['ENOSPC', 'EDQUOT'])('goes on without a line for which the disk has no room: %s', (code) => {
  const { host, breaks } = arrangement();
  const stop = vi.fn();
  host.on('SIGHUP', stop);
  breaks('stdout', code);
  expect(stop).not.toHaveBeenCalled();
  expect(host.exit).not.toHaveBeenCalled();
});
