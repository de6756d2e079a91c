import { readFileSync } from 'node:fs';
import { systemClock } from '@steward/service-kit/clock';
import { expect, it } from 'vitest';
import { examine } from '../../src/commands/doctor/check-list.ts';

const page = readFileSync(new URL('../../../../docs/sidecar.md', import.meta.url), 'utf8');

// A configuration that cannot be read: every line is there, and nothing is looked at.
const steps = examine({
  environment: { PORT: 'none' },
  clock: systemClock,
  lookup: () => Promise.reject(new Error('nobody looks up anything')),
  platform: () => {
    throw new Error('nobody logs in');
  },
  opened: () => {},
});
const titles = steps.map(({ title }) => title);

it('docs/sidecar.md explains every line of the doctor, in its order', () => {
  const table = page.split('| Line | Checks |\n| --- | --- |\n')[1]?.split('\n\n')[0] ?? '';
  expect([...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, title]) => title)).toEqual(titles);
});

it('docs/sidecar.md shows a sample that has every line', () => {
  const sample = page.split('## Doctor')[1]?.split('```text\n')[1]?.split('\n\n')[0] ?? '';
  const lines = sample
    .split('\n')
    .map((line) => /^(?:ok|warning|failed|skipped) +([^:]+): ./.exec(line)?.[1]);
  expect(lines).toEqual(titles);
});
