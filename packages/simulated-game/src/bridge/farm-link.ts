import type { Duplex } from 'node:stream';
import { systemClock } from '@steward/service-kit/clock';
import { commandParams, commands, isCommandName } from '@steward/shared/bridge/commands';
import { type FarmIdentity, helloResult } from '@steward/shared/bridge/hello';
import { askedNames, requestsOfControlApi } from '@steward/shared/bridge/methods';
import { type Answer, type IncomingRequest, JsonRpcPeer, trustingLimits } from '@steward/shared/bridge/peer';
import { bridgeTiming, protocolVersion } from '@steward/shared/bridge/protocol';
import { firstIssue } from '@steward/shared/bridge/rpc-message';
import type { GameSettings } from '@steward/shared/bridge/settings';
import { bindCommand } from '../commands/all-commands.ts';
import type { CommandDesk } from '../commands/command-desk.ts';
import { notApplied } from '../commands/game-command.ts';
import type { Happening } from '../events/farm-event.ts';
import type { Farm } from '../farm/farm.ts';
import { pictureOf } from '../picture/picture.ts';
import { eventOnBridge } from './event-on-bridge.ts';
import {
  ChangedSections,
  type Stats,
  savedFarms,
  simulatorName,
  simulatorVersion,
  stateOfFarm,
} from './state-of-farm.ts';

/** A farm that is open, with what the bridge needs of it. */
export interface OpenFarm {
  readonly farm: Farm;
  readonly desk: CommandDesk;
  readonly stats: () => Stats;
}

export interface FarmLinkParts {
  readonly stream: Duplex;
  readonly identity: FarmIdentity | undefined;
  readonly secret: string | undefined;
  /** The other side has answered `hello`. Opens the farm, or brings its settings up to date. */
  readonly onWelcome: (settings: GameSettings, peer: JsonRpcPeer) => OpenFarm;
  /** `stop` has been carried out and answered. */
  readonly onStop: () => void;
  /** `welcomed`: the connection had got as far as an answer to `hello`. */
  readonly onClose: (reason: string, welcomed: boolean) => void;
}

/** One connection between the farm and the control API, from `hello` to its end. */
export class FarmLink {
  readonly #parts: FarmLinkParts;
  readonly #peer: JsonRpcPeer;
  readonly #changed = new ChangedSections();
  #open: OpenFarm | undefined;

  constructor(parts: FarmLinkParts) {
    this.#parts = parts;
    const { stream, onClose } = parts;
    this.#peer = new JsonRpcPeer(
      { input: stream, output: stream, close: () => stream.destroy() },
      {
        other: 'the control API',
        limits: trustingLimits,
        clock: systemClock,
        handlers: {
          request: (request) => this.#request(request),
          closed: (why) => onClose(why, this.#open !== undefined),
        },
      },
    );
    this.#sayHello();
  }

  /** The sections that have changed since the last time. */
  pushState(): void {
    if (this.#open === undefined) return;
    const changed = this.#changed.of(stateOfFarm(this.#open.farm, this.#open.stats()));
    if (Object.keys(changed).length > 0) this.#peer.tell('state', changed);
  }

  tick(count: number): void {
    if (this.#open !== undefined) this.#peer.tell('tick', { count });
  }

  event({ event }: Happening): void {
    if (this.#open === undefined) return;
    const told = eventOnBridge(event, this.#open.farm);
    if (told !== undefined) this.#peer.tell('event', { event: told });
  }

  freeze(frozen: boolean): void {
    if (frozen) this.#parts.stream.pause();
    else this.#parts.stream.resume();
  }

  close(reason: string): void {
    this.#peer.close(reason);
  }

  #sayHello(): void {
    const { identity, secret, onWelcome } = this.#parts;
    const hello = {
      protocol: protocolVersion,
      game: { name: simulatorName, version: simulatorVersion },
      capabilities: [...Object.keys(commands), ...askedNames],
      ...(identity === undefined ? {} : { farm: identity }),
      ...(secret === undefined ? {} : { secret }),
    };
    const answered = (answer: Answer) => {
      if (answer.kind !== 'result') {
        this.close(answer.message);
        return;
      }
      const welcome = helloResult.safeParse(answer.result);
      if (!welcome.success) {
        this.close(`the answer to hello cannot be read: ${firstIssue(welcome.error)}`);
        return;
      }
      this.#open = onWelcome(welcome.data.settings, this.#peer);
      this.pushState();
    };
    this.#peer.request('hello', hello, answered, bridgeTiming.hello);
  }

  #request(request: IncomingRequest): void {
    const { method, params, reply, refuse } = request;
    const open = this.#open;
    if (open === undefined) {
      refuse('helloFirst', 'the answer to hello has not come yet');
    } else if (method === 'journal') {
      const asked = requestsOfControlApi.journal.params.safeParse(params);
      if (asked.success) reply({ entries: open.desk.entries(asked.data.commands) });
      else refuse('invalidParams', `journal: ${firstIssue(asked.error)}`);
    } else if (method === 'farms') {
      reply({ farms: savedFarms(open.farm) });
    } else if (method === 'screenshot') {
      reply({ png: pictureOf(open.farm).toString('base64') });
    } else if (isCommandName(method)) {
      const id = commandParams.safeParse(params);
      const command = bindCommand(method, params);
      if (!id.success) refuse('invalidParams', `${method}: ${firstIssue(id.error)}`);
      else if (!command.ok) reply(notApplied('out-of-range', command.reason));
      else this.#command(open, id.data.command, command.value, request);
    } else {
      refuse('methodNotFound', `the farm knows no request ${method}`);
    }
  }

  #command(
    { desk }: OpenFarm,
    id: string,
    command: Parameters<CommandDesk['take']>[1],
    { reply }: IncomingRequest,
  ): void {
    desk.take(id, command, (outcome) => {
      // Whoever hears of the outcome and reads next, reads its effect.
      this.pushState();
      reply(outcome);
      if (command.name === 'stop' && outcome.outcome === 'applied') this.#flushed(this.#parts.onStop);
    });
  }

  /** Calls back once what was written has left the process. */
  #flushed(done: () => void): void {
    const { stream } = this.#parts;
    if (stream.writable) stream.write('', () => done());
    else done();
  }
}
