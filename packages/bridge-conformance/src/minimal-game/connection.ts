import { rpcErrorCodes } from '@steward/shared/bridge/json-rpc';
import { protocolVersion } from '@steward/shared/bridge/protocol';
import { parseRpcMessage } from '@steward/shared/bridge/rpc-message';
import type { JsonLines } from '../wire/json-lines.ts';
import { capabilities } from './deeds.ts';
import type { Fault } from './faults.ts';
import { Hands } from './hands.ts';
import type { World } from './world.ts';

const tickMs = 250;

export interface ConnectionParts {
  readonly world: World;
  readonly fault: Fault | undefined;
  readonly secret: string | undefined;
  /** Whether this game had a connection before. */
  readonly again: boolean;
  readonly refused: (reason: string) => void;
  readonly exit: () => void;
}

/** One connection to the control API, from `hello` to its loss. */
export class Connection {
  readonly #lines: JsonLines;
  readonly #parts: ConnectionParts;
  readonly #hands: Hands;
  readonly #waiting = new Map<string, (result: unknown, failed: string | undefined) => void>();
  #requests = 0;
  #ticks = 0;
  #ticking: NodeJS.Timeout | undefined;

  constructor(lines: JsonLines, parts: ConnectionParts) {
    this.#lines = lines;
    this.#parts = parts;
    this.#hands = new Hands({
      world: parts.world,
      fault: parts.fault,
      claim: (command, answer) => this.ask('claim', { command }, (result) => answer(isGranted(result))),
      answer: (id, result) => this.#lines.send({ jsonrpc: '2.0', id, result }),
      unknown: (id, method) =>
        this.#lines.send({
          jsonrpc: '2.0',
          id,
          error: { code: rpcErrorCodes.methodNotFound, message: `there is no ${method}` },
        }),
      changed: () => this.#tell('state', { ...parts.world.state }),
      exit: parts.exit,
    });
  }

  hello(): void {
    const { world, fault, secret, refused } = this.#parts;
    if (fault === 'speaks-before-hello') this.#tell('state', world.state);
    const params = {
      protocol: protocolVersion,
      game: { name: 'Minimal game', version: '1.0.0' },
      capabilities,
      farm: world.farm,
      ...(secret === undefined ? {} : { secret }),
    };
    this.ask('hello', params, (_result, failed) => {
      if (failed !== undefined && fault !== 'ignores-refusal') refused(failed);
      else this.#begin();
    });
  }

  ask(method: string, params: object, answered: (result: unknown, failed: string | undefined) => void): void {
    this.#requests += 1;
    const id = this.#requests.toString();
    this.#waiting.set(id, answered);
    this.#lines.send({
      jsonrpc: '2.0',
      id: this.#parts.fault === 'numeric-ids' ? this.#requests : id,
      method,
      params,
    });
  }

  read(line: string): void {
    const { fault } = this.#parts;
    const parsed = parseRpcMessage(line);
    if (!parsed.ok) {
      if (fault === 'dies-on-garbage') process.exit(1);
      const code = parsed.reason === 'is not a JSON document' ? -32700 : -32600;
      this.#lines.send({ jsonrpc: '2.0', id: null, error: { code, message: `the line ${parsed.reason}` } });
      return;
    }
    if (fault === 'dies-on-extras' && line.includes('"unheardOf"')) process.exit(1);
    const { kind, message } = parsed.value;
    if (kind === 'request') this.#hands.take(message.id, message.method, message.params ?? {});
    else if (kind === 'result') this.#answered(message.id, message.result, undefined);
    else if (kind === 'failure' && message.id !== null)
      this.#answered(message.id, undefined, message.error.message);
  }

  lost(): void {
    clearInterval(this.#ticking);
    this.#hands.drop();
  }

  /** What a game that clung to a lost connection would still want to claim. */
  get leftOver(): readonly string[] {
    return this.#hands.leftOver;
  }

  #begin(): void {
    const { world, fault, again } = this.#parts;
    const { networks, ...most } = world.state;
    if (fault === 'partial-state') this.#tell('state', most);
    else if (fault === 'malformed-state')
      this.#tell('state', { ...most, networks, status: { day: 'Monday' } });
    else if (fault === 'batches')
      this.#lines.send([{ jsonrpc: '2.0', method: 'state', params: world.state }]);
    else if (fault !== 'half-a-state-later' || !again) this.#tell('state', world.state);
    this.#tick();
    this.#ticking = setInterval(() => this.#tick(), tickMs);
  }

  #tick(): void {
    const { fault } = this.#parts;
    if (fault === 'no-ticks' || (fault === 'holds-its-loop' && this.#hands.waiting)) return;
    if (fault !== 'stuck-count') this.#ticks += 1;
    this.#tell('tick', { count: this.#ticks });
  }

  #tell(method: string, params: object): void {
    this.#lines.send({ jsonrpc: '2.0', method, params });
  }

  #answered(id: string, result: unknown, failed: string | undefined): void {
    const answered = this.#waiting.get(id);
    this.#waiting.delete(id);
    answered?.(result, failed);
  }
}

function isGranted(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'granted' in result && result.granted === true;
}
