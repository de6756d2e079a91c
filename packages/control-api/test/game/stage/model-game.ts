import { parseRpcMessage } from '@steward/shared/bridge/rpc-message';
import { hello } from './stage.ts';

type Params = Readonly<Record<string, unknown>>;
type Journal = ReadonlyMap<string, object>;

/** A game by the rules of the page, whose messages a test delivers one by one. It counts every application. */
export class ModelGame {
  /** Each application that ever happened, crashes or not. */
  readonly applications: string[] = [];
  /** What the game has written and nobody has delivered. */
  outbox: string[] = [];
  saving = false;
  #world = new Map<string, object>();
  #saved: Journal = new Map();
  #inHand = new Map<string, string[]>();
  #claims = new Map<string, string>();
  #requests = 1;
  #ticks = 0;

  /** In the farm as it stands. */
  has(command: string): boolean {
    return this.#world.has(command);
  }

  dial(): void {
    this.#requests = 1;
    this.outbox = [JSON.stringify(hello)];
  }

  /** The connection is lost, and with it every message on the way and every claim that was not answered. */
  lost(): void {
    this.outbox = [];
    this.#inHand.clear();
    this.#claims.clear();
  }

  crash(): void {
    this.lost();
    this.#world = new Map(this.#saved);
  }

  save(): void {
    this.#saved = new Map(this.#world);
  }

  /** What its loop says while it runs. */
  ticked(): string {
    this.#ticks += 1;
    return JSON.stringify({ jsonrpc: '2.0', method: 'tick', params: { count: this.#ticks } });
  }

  read(line: string): void {
    const parsed = parseRpcMessage(line);
    if (!parsed.ok) return;
    const { kind, message } = parsed.value;
    if (kind === 'request') this.#asked(message.id, message.method, message.params ?? {});
    else if (kind === 'result') this.#answered(message.id, message.result as { granted?: boolean });
  }

  #asked(id: string, method: string, params: Params): void {
    if (method === 'journal') {
      const entries = (params['commands'] as string[]).map((command) => this.#entry(command));
      this.#send({ id, result: { entries } });
      return;
    }
    const command = String(params['command']);
    const known = this.#world.get(command);
    if (known !== undefined) this.#send({ id, result: known });
    else if (this.#inHand.has(command)) this.#inHand.get(command)?.push(id);
    else if (this.saving)
      this.#send({ id, result: { outcome: 'refused', code: 'saving', message: 'saving' } });
    else this.#claim(command, id);
  }

  #claim(command: string, id: string): void {
    this.#inHand.set(command, [id]);
    this.#requests += 1;
    this.#claims.set(this.#requests.toString(), command);
    this.#send({ id: this.#requests.toString(), method: 'claim', params: { command } });
  }

  #answered(id: string, { granted }: { granted?: boolean }): void {
    const command = this.#claims.get(id);
    this.#claims.delete(id);
    if (command === undefined || !this.#inHand.has(command)) return;
    if (granted !== true) {
      this.#finish(command, { outcome: 'void' });
      return;
    }
    const outcome = { outcome: 'applied', before: { timeOfDay: 600 }, after: { timeOfDay: 900 } };
    this.applications.push(command);
    this.#world.set(command, outcome);
    this.#finish(command, outcome);
  }

  #entry(command: string): object {
    const outcome = this.#world.get(command);
    if (outcome !== undefined) return { command, state: 'applied', outcome };
    this.#finish(command, { outcome: 'void' });
    return { command, state: 'absent' };
  }

  #finish(command: string, result: object): void {
    for (const id of this.#inHand.get(command) ?? []) this.#send({ id, result });
    this.#inHand.delete(command);
  }

  #send(message: object): void {
    this.outbox.push(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}
