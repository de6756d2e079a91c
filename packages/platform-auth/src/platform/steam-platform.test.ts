import { expect, it } from 'vitest';
import { logonIdOf } from './steam-platform.ts';

it('is the same at every start of the service on a machine, and another elsewhere', () => {
  expect(logonIdOf('serve', 'one')).toBe(logonIdOf('serve', 'one'));
  expect(logonIdOf('serve', 'one')).not.toBe(logonIdOf('serve', 'other'));
});

it('is another for each command and for each run of one', () => {
  const commands = ['serve', 'download', 'download', 'login', 'login', 'doctor'];
  const ids = commands.map((command) => logonIdOf(command, 'one'));
  expect(new Set(ids).size).toBe(ids.length);
});

it('fits the field that it is sent in, and is never the default', () => {
  for (const id of [logonIdOf('serve'), logonIdOf('download')]) {
    expect(id).toBeGreaterThan(0);
    expect(id).toBeLessThan(2 ** 32);
  }
});
