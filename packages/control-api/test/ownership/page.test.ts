import { readFileSync } from 'node:fs';
import { keepingNobodyOut, ownershipProblemCodes } from '@steward/shared/api/answers/readiness';
import { expect, it } from 'vitest';
import { reasons } from '../../src/ownership/matrix.ts';
import { openVillage } from './stage/owners-stage.ts';
import { farmhand } from './stage/village.ts';

const page = readFileSync(new URL('../../../../docs/players-cannot-join.md', import.meta.url), 'utf8');

it('docs/players-cannot-join.md explains every refusal and every problem with the map', () => {
  const others = [reasons.unreadable, reasons.promised];
  const refusals = [...Object.values(reasons).filter((row) => 'remedy' in row), ...others];
  for (const { says } of refusals) expect(page).toContain(`| ${says} |`);
  for (const code of ownershipProblemCodes) expect(page).toContain(`| \`${code}\``);
});

it('docs/players-cannot-join.md names every obstacle that keeps nobody out, and no other', () => {
  const [, named = ''] = /\(([^()]*) keep nobody out:/.exec(page) ?? [];
  const codes = [...named.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code);
  expect(codes.toSorted()).toEqual(Object.keys(keepingNobodyOut).toSorted());
});

it('shows the two lines of the log as they are', async () => {
  const ann = farmhand('620826087702429092', 'Ann');
  await using stage = await openVillage({ slots: [ann] });
  await stage.ownership.rebind({ name: 'Ann' }, '76561198000000001');
  await stage.village.join('GN_46265193014', ann.id);
  for (const begin of ['Client connected via network', 'Refused farmhand'])
    expect(page).toContain(`\n${stage.lines.find((line) => line.startsWith(begin))}\n`);
});
