import fc from 'fast-check';
import { expect } from 'vitest';
import { visitorOf } from '../../../src/ownership/visitor.ts';
import type { openVillage } from './owners-stage.ts';

type Stage = Awaited<ReturnType<typeof openVillage>>;

export type Step =
  | { does: 'join'; id: string; connection: string; declared: string | undefined; stays: boolean }
  | { does: 'leave' | 'customize' | 'release'; id: string }
  | { does: 'rebind'; id: string; identity: string }
  | { does: 'save' | 'crash' | 'restart' };

export interface Counts {
  joins: number;
  refusals: number;
  owned: number;
}

const networkIds = ['46265193014', '5'];
const platformIds = ['76561198000000001', '76561198000000002'];
const connections = [
  ...networkIds.map((id) => `GN_${id}`),
  ...platformIds.map((id) => `SN_${id}_1`),
  'L_7f21',
];

export function someStep(ids: readonly string[]): fc.Arbitrary<Step> {
  const id = fc.constantFrom(...ids);
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        does: fc.constant('join' as const),
        id,
        connection: fc.constantFrom(...connections),
        // Anybody can declare anything.
        declared: fc.constantFrom(undefined, ...networkIds),
        stays: fc.boolean(),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({ does: fc.constantFrom('leave' as const, 'customize' as const), id }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constantFrom('save' as const, 'crash' as const, 'restart' as const) }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('release' as const), id }) },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constant('rebind' as const),
        id,
        identity: fc.constantFrom(...networkIds, ...platformIds),
      }),
    },
  );
}

/** Whose a farmhand is by rights: an identity, those who come by address, or whoever comes next. */
type Right = { readonly whose: string; readonly byOperator: boolean };

const next = 'next';

/** Plays the steps and holds every join, and in the end the file, against what each player and operator did. */
export async function play(steps: readonly Step[], stage: Stage, counts: Counts): Promise<void> {
  const rights = new Map<string, Right>();
  for (const step of steps) {
    await act(step, stage, rights, counts);
    await stage.village.calm();
  }
  await stage.calm();
  for (const [id, { whose, byOperator }] of rights) {
    if (!(stage.village.slot(id).isCustomized || byOperator) || whose === 'address' || whose === next)
      continue;
    const record = stage.onDisk().farmhands[id];
    expect(record?.owner === 'released' ? next : `${record?.owner} ${record?.id}`).toBe(whose);
    counts.owned += 1;
  }
}

async function act(step: Step, stage: Stage, rights: Map<string, Right>, counts: Counts): Promise<void> {
  const { village, ownership } = stage;
  switch (step.does) {
    case 'save':
      return village.save();
    case 'crash':
      return stage.crash();
    case 'restart':
      return stage.restart();
    case 'leave':
      return village.leave(step.id);
    case 'customize':
      if (village.online.has(step.id)) village.customize(step.id, 'Robin');
      return;
    case 'release':
      await ownership.release({ playerId: step.id });
      if (village.slot(step.id).isCustomized) rights.set(step.id, { whose: next, byOperator: true });
      // What somebody is making stays theirs.
      else if (!village.online.has(step.id)) rights.delete(step.id);
      return;
    case 'rebind': {
      await ownership.rebind({ playerId: step.id }, step.identity);
      const space = platformIds.includes(step.identity) ? 'platform' : 'network';
      rights.set(step.id, { whose: `${space} ${step.identity}`, byOperator: true });
      return;
    }
    case 'join':
      return join(step, stage, rights, counts);
  }
}

async function join(
  { id, connection, declared, stays }: Extract<Step, { does: 'join' }>,
  { village }: Stage,
  rights: Map<string, Right>,
  counts: Counts,
): Promise<void> {
  if ([...village.online.values()].includes(connection) || village.online.has(id)) return;
  const { isCustomized } = village.slot(id);
  const right = rights.get(id);
  const { identity } = visitorOf(connection);
  const whose = typeof identity === 'string' ? 'address' : `${identity.space} ${identity.id}`;
  if (!(await village.join(connection, id, whose === 'address' ? undefined : declared))) {
    counts.refusals += 1;
    return;
  }
  counts.joins += 1;
  const isSomebodys = right !== undefined && right.whose !== next && (isCustomized || right.byOperator);
  if (isSomebodys) expect(whose, `farmhand ${id} is of ${right.whose}`).toBe(right.whose);
  else rights.set(id, { whose, byOperator: false });
  if (!stays) village.leave(id);
}
