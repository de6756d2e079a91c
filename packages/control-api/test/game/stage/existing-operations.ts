import type { Command } from '@steward/shared/bridge/commands';
import type { StateParams } from '@steward/shared/bridge/state';
import { emptyFarm } from '@steward/testing/game/empty-farm';
import { ManualClock } from '@steward/testing/manual-clock';
import { ExistingLink, type ExistingLinkParts } from '../../../src/game/existing/existing-link.ts';
import { GameCommands } from '../../../src/game/operations/game-commands.ts';
import { Operations } from '../../../src/game/operations/operations.ts';
import { bridgeLimits } from '../../../src/game/state/limits.ts';
import { MemoryStore } from './memory-store.ts';
import { quiet } from './stage.ts';

/** Operations over that server's answers. Their clock stands still: what is known is told without waiting. */
export function operationsOver(
  client: ExistingLinkParts['client'],
  sections: () => StateParams = () => emptyFarm(),
) {
  const clock = new ManualClock();
  const store = new MemoryStore();
  const operations = new Operations({
    store,
    clock,
    log: quiet,
    limits: bridgeLimits,
    keepsJournal: false,
  });
  const commands = new GameCommands({
    operations,
    log: quiet,
    limits: bridgeLimits,
    game: () => ({ status: 'live', since: clock.date(), reason: 'it is there' }),
    unsettled: () => {},
  });
  const link = new ExistingLink({
    client,
    chat: async () => undefined,
    chatLost: () => undefined,
    sections,
    claim: (id, by) => commands.claim(id, by),
    changed: () => {},
  });
  const run = async (command: Command) => {
    const ended = await commands.run(command, link);
    if (ended.kind !== 'operation') throw new Error(`it is ${JSON.stringify(ended)}`);
    return ended.operation;
  };
  return { operations, run };
}
