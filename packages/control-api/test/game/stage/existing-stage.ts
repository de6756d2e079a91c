import { EventEmitter } from 'node:events';
import { ExistingServer, type ExistingServerOptions } from '@steward/existing-server-double/existing-server';
import type { BackoffSettings } from '@steward/service-kit/clock';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { freePort } from '@steward/testing/free-port';
import { ExistingGameBridge } from '../../../src/game/existing/existing-game-bridge.ts';
import type { ExistingLimits } from '../../../src/game/existing/existing-limits.ts';
import type { CommandResult } from '../../../src/game/operations/operation.ts';
import type { BridgeState } from '../../../src/game/state/bridge-state.ts';
import { existingParts } from './existing-parts.ts';
import { quiet } from './stage.ts';

/** The doubles of the existing server that a test starts, and the bridges to them; all of it goes with the test. */
export class ExistingStage implements AsyncDisposable {
  readonly #open = new Set<AsyncDisposable>();

  async server(options: ExistingServerOptions = {}): Promise<ExistingServer> {
    // So that one can be started there again: a port that the system gave is soon somebody else's.
    const port = options.port ?? (await freePort());
    const started = await ExistingServer.start({ key: 'k', snapshotMs: 10, ...options, port });
    this.#open.add(started);
    return started;
  }

  async close(server: ExistingServer): Promise<void> {
    this.#open.delete(server);
    await server[Symbol.asyncDispose]();
  }

  async bridgeTo(
    origin: string,
    key = 'k',
    backoff: Partial<BackoffSettings> = {},
    limits: Partial<ExistingLimits> = {},
  ) {
    const warnings = new EventEmitter<{ warning: [string] }>();
    const log = { ...quiet, warn: (_facts: object, text: string) => void warnings.emit('warning', text) };
    const parts = { ...existingParts(origin, key), log };
    const bridge = new ExistingGameBridge({
      ...parts,
      existingLimits: { ...parts.existingLimits, ...limits },
      backoff: { ...parts.backoff, ...backoff },
    });
    await bridge.start();
    this.#open.add({ [Symbol.asyncDispose]: () => bridge.stop() });
    const until = (wanted: (state: BridgeState) => boolean): Promise<BridgeState> => {
      const { promise, resolve } = Promise.withResolvers<BridgeState>();
      const end = bridge.follow((state) => wanted(state) && resolve(state));
      if (wanted(bridge.state)) resolve(bridge.state);
      return promise.finally(end);
    };
    const event = (wanted: (event: StewardEvent) => boolean): Promise<StewardEvent> => {
      const { promise, resolve } = Promise.withResolvers<StewardEvent>();
      const end = bridge.events.follow((logged) => wanted(logged.event) && resolve(logged.event));
      return promise.finally(end);
    };
    return { bridge, until, event, warnings, live: () => until(({ link }) => link.status === 'live') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of [...this.#open].reverse()) await each[Symbol.asyncDispose]();
    this.#open.clear();
  }
}

export function operationOf(result: CommandResult) {
  if (result.kind !== 'operation') throw new Error(`it is ${JSON.stringify(result)}`);
  return result.operation;
}
