import type { Farm } from '@steward/client';
import { eventually } from '@steward/testing/eventually';
import type { ChaosWorld } from '../chaos/chaos-world.ts';
import type { AuditBook } from './audit-book.ts';

const ended: readonly string[] = ['applied', 'refused', 'void'];
/** A day may be ending, and a game that is started loads for a while. */
const withinMs = 180_000;

/** Players are seen off, the farm is saved and stopped, and whatever keeps it running starts it again. */
export async function drainAndComeBack(world: ChaosWorld, owner: Farm, book: AuditBook): Promise<void> {
  const { operationId: id } = await owner.startDrain({ when: 'now', seconds: 1, restart: true });
  await world.farmStartsAgain();
  const operation = await eventually(
    async () => {
      const found = await owner.getOperation({ id });
      return ended.includes(found.state) ? found : undefined;
    },
    { withinMs, missing: () => `the drain ${id} did not end` },
  );
  const { state, after } = operation as { state: string; after?: Record<string, unknown> };
  if (state !== 'applied' || after?.['isSaved'] !== true || after['isBack'] !== true)
    throw new Error(`a drain ended with ${JSON.stringify(operation)}`);
  book.did('owner', 'a drain', id);
}
