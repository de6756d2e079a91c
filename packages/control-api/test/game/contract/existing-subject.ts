import { ExistingServer } from '@steward/existing-server-double/existing-server';
import { freePort } from '@steward/testing/free-port';
import { existingCapabilities } from '../../../src/game/existing/existing-commands.ts';
import { ExistingGameBridge } from '../../../src/game/existing/existing-game-bridge.ts';
import { existingParts } from '../stage/existing-parts.ts';
import { isLive, type Subject, stateWhere } from './subject.ts';

const key = 'k';
const frozenForMs = 6_000;

/** The adapter over the existing server's double. */
export async function existingSubject(): Promise<Subject> {
  // A port that the system gave is soon somebody else's, and none could come back there.
  const options = { key, snapshotMs: 10, port: await freePort() };
  let server = await ExistingServer.start(options);
  const { origin } = server;
  const count = countRuns(server);
  const bridge = new ExistingGameBridge(existingParts(origin, key));
  await bridge.start();
  const settledBy = async (change: () => void) => {
    change();
    const { version = 0 } = server.farm.snapshot ?? {};
    while ((server.farm.snapshot?.version ?? 0) <= version)
      await new Promise((resolve) => server.farm.once('snapshot', resolve));
  };
  const subject: Subject = {
    bridge,
    capabilities: existingCapabilities,
    async join(name) {
      const character = server.farm.join();
      await settledBy(() => server.farm.customize(character, name));
      return String(character.id);
    },
    async leave(id) {
      await settledBy(() => {
        const character = server.farm.find({ playerId: BigInt(id) });
        if (character !== undefined) character.isOnline = false;
      });
    },
    ids: () => server.farm.characters.map(({ id }) => String(id)),
    applications: count,
    freeze() {
      server.farm.thread.freeze();
      server.farm.thread.pretendSilence(frozenForMs);
    },
    thaw: () => server.farm.thread.thaw(),
    hold: () => server.farm.thread.freeze(),
    async held() {
      while (server.farm.thread.pending === 0) await new Promise((resolve) => setImmediate(resolve));
    },
    vanish: () => server[Symbol.asyncDispose](),
    async comeBack() {
      server = await ExistingServer.start(options);
    },
    async [Symbol.asyncDispose]() {
      await bridge.stop();
      await server[Symbol.asyncDispose]().catch(() => {});
    },
  };
  await stateWhere(subject, isLive);
  while (server.chat.listeners === 0) await new Promise((resolve) => server.farm.once('snapshot', resolve));
  return subject;
}

/** Each action of the API is one turn of the game's thread. */
function countRuns({ farm }: ExistingServer): () => number {
  let runs = 0;
  const { thread } = farm;
  const run = thread.run.bind(thread);
  thread.run = (action, budgetMs) =>
    run(() => {
      runs += 1;
      return action();
    }, budgetMs);
  return () => runs;
}
