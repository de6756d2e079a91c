import type { CommandName } from '@steward/shared/bridge/commands';
import type { GameSettings } from '@steward/shared/bridge/settings';
import type { WholeState } from '@steward/shared/bridge/state';
import type { GameEnd } from '../../game/stage/stage.ts';
import { deed } from './deeds.ts';
import { fullFarm } from './full-farm.ts';

/** How a farm treats the next commands, where it does not simply carry them out. */
export type Mood =
  | 'willing'
  | 'silent'
  | 'claims-and-is-silent'
  | { readonly refuses: string; readonly message: string };

/** A game at the other end of the stream that speaks the protocol as a real one does. */
export class TestFarm {
  readonly state: WholeState;
  mood: Mood = 'willing';
  /** What it was told when it said hello. */
  settings: GameSettings | undefined;
  /** The commands that it was sent, in their order. */
  readonly heard: CommandName[] = [];
  /** The lines that it was told to show. */
  readonly said: Readonly<Record<string, unknown>>[] = [];
  /** What it has claimed, not applied, and said nothing more of: each says then what became of it, or why nothing did. */
  readonly held: ((refused?: { code: string; message: string }) => void)[] = [];
  /** What its journal holds, by command; of all others it still works on them. */
  readonly journal = new Map<string, object>();
  readonly #end: GameEnd;
  /** What follows once an answer has come, by the request's id. */
  readonly #waiting = new Map<string, () => void>();
  #text = '';
  #requests = 1;
  #ticks = 0;

  constructor(end: GameEnd, state: WholeState = fullFarm()) {
    this.#end = end;
    this.state = state;
    // As over a socket, nothing is heard before whoever said it has finished.
    end.input.on('data', (chunk: Buffer) => setImmediate(() => this.#read(chunk.toString())));
  }

  hello(capabilities: readonly string[]): void {
    this.#say({
      id: '1',
      method: 'hello',
      params: {
        protocol: { major: 1, minor: 0 },
        game: { name: 'Test farm', version: '1.6.15' },
        capabilities,
        farm: this.state.farm,
      },
    });
    this.#waiting.set('1', () => {
      this.tell(this.state);
      this.tick();
    });
  }

  tell(sections: Partial<WholeState>): void {
    this.#say({ method: 'state', params: sections });
  }

  tick(): void {
    this.#ticks += 1;
    this.#say({ method: 'tick', params: { count: this.#ticks } });
  }

  #say(message: object): void {
    this.#end.say({ jsonrpc: '2.0', ...message });
  }

  #read(text: string): void {
    const lines = `${this.#text}${text}`.split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.#heard(JSON.parse(line));
  }

  #heard(message: Record<string, unknown> & { id?: string; method?: string }): void {
    const { id = '', method } = message;
    if (method === 'journal') {
      const { commands } = message['params'] as { commands: string[] };
      const entryOf = (command: string) => this.journal.get(command) ?? { command, state: 'working' };
      this.#say({ id, result: { entries: commands.map(entryOf) } });
    } else if (method !== undefined) {
      this.#command(
        id,
        method as CommandName,
        message['params'] as Record<string, unknown> & { command: string },
      );
    } else {
      const { settings } = (message['result'] ?? {}) as { settings?: GameSettings };
      this.settings ??= settings;
      const { granted = true } = (message['result'] ?? { granted: false }) as { granted?: boolean };
      const next = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (granted) next?.();
    }
  }

  #command(
    id: string,
    name: CommandName,
    { command, ...params }: Record<string, unknown> & { command: string },
  ): void {
    this.heard.push(name);
    const { mood } = this;
    if (mood === 'silent') return;
    const done = deed(this.state, name, params);
    if (typeof mood === 'object')
      this.#say({ id, result: { outcome: 'refused', code: mood.refuses, message: mood.message } });
    else if ('code' in done) this.#say({ id, result: { outcome: 'refused', ...done } });
    else
      this.#claim(command, () => {
        const apply = () => {
          done.apply();
          if (name === 'sendChat') this.said.push(params);
          const { before, after, subject } = done;
          const outcome = {
            outcome: 'applied',
            before,
            after,
            ...(subject === undefined ? {} : { subject }),
          };
          this.journal.set(command, { command, state: 'applied', outcome });
          this.#say({ id, result: outcome });
          this.tell(this.state);
        };
        if (mood === 'claims-and-is-silent')
          this.held.push((refused) => {
            if (refused === undefined) apply();
            else this.#say({ id, result: { outcome: 'refused', ...refused } });
          });
        else apply();
      });
  }

  #claim(command: string, apply: () => void): void {
    this.#requests += 1;
    const id = String(this.#requests);
    this.#waiting.set(id, apply);
    this.#say({ id, method: 'claim', params: { command } });
  }
}
