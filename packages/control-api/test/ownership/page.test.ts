import { readFileSync } from 'node:fs';
import { keepingNobodyOut, ownershipProblemCodes } from '@steward/shared/api/answers/readiness';
import { expect, it } from 'vitest';
import { reasons } from '../../src/ownership/matrix.ts';
import { emptyMap } from '../../src/ownership/ownership-map.ts';
import { address, network, relay } from './stage/connections.ts';
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

it('docs/players-cannot-join.md names for each refusal every command that the log gives for it', async () => {
  const record = { owner: 'platform', id: '76561198000000002', origin: 'claim' } as const;
  const doubts = { since: '2026-11-20T06:30:00.000Z', aside: 'lost', farmhands: ['4'] };
  const [ann, bob] = [farmhand('1', 'Ann'), farmhand('2', 'Bob', '5')];
  const slots = [ann, bob, farmhand('3', 'Shane'), farmhand('4', 'Cleo')];
  const content = { ...emptyMap, farmhands: { '1': record }, doubts };
  await using stage = await openVillage({ slots, content });
  for (const connection of [relay, network, address])
    for (const { id } of slots) await stage.village.join(connection, id);
  const refusals = stage.lines.flatMap((line) => {
    const [, says, command] = /^Refused .*? via [a-z2-]+: (.*?)\. .*\/farmhands\/(\w+)\?/.exec(line) ?? [];
    return says === undefined ? [] : [{ says, command }];
  });
  const withRemedy = Object.values(reasons).flatMap((row) => ('remedy' in row ? [row.says] : []));
  expect(new Set(refusals.map(({ says }) => says))).toEqual(new Set(withRemedy));
  for (const { says, command } of refusals)
    expect(page.split('\n').find((line) => line.startsWith(`| ${says} |`))).toContain(`\`${command}\``);
});

it('shows the two lines of the log as they are', async () => {
  const ann = farmhand('620826087702429092', 'Ann');
  await using stage = await openVillage({ slots: [ann] });
  await stage.ownership.rebind({ name: 'Ann' }, '76561198000000001');
  await stage.village.join('GN_46265193014', ann.id);
  for (const begin of ['Client connected via network', 'Refused farmhand'])
    expect(page).toContain(`\n${stage.lines.find((line) => line.startsWith(begin))}\n`);
});
