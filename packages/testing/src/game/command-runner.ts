import { type CommandName, isCommandName } from '@steward/shared/bridge/commands';
import { type AskedName, askedNames } from '@steward/shared/bridge/methods';
import type { CommandOutcome, RefusalCode } from '@steward/shared/bridge/outcome';
import type { Answer, IncomingRequest } from '@steward/shared/bridge/peer';
import type { WholeState } from '@steward/shared/bridge/state';
import { type Deed, deed, outOfRange, refused } from './deeds.ts';
import { robin } from './empty-farm.ts';
import { dotPng, farmDeed, listedFarms, type OtherFarms } from './farms.ts';
import type { Fault } from './faults.ts';

/** How the game treats the next commands, where it does not simply carry them out. */
export type Mood =
  | 'willing'
  | 'silent'
  | 'claims-and-is-silent'
  | { readonly refuses: string; readonly message: string };

/** How an impatient game waits for its claim. */
const impatienceMs = 200;

export interface CommandRunnerParts {
  readonly state: () => WholeState;
  readonly otherFarms: OtherFarms;
  readonly capabilities: readonly string[];
  readonly fault: Fault | undefined;
  readonly mood: () => Mood;
  /** Of a command that the journal does not have. */
  readonly otherwise: 'absent' | 'working';
  readonly journal: ReadonlyMap<string, CommandOutcome>;
  readonly heard: (name: CommandName) => void;
  readonly held: (goOn: GoOn) => void;
  readonly claim: (command: string, answered: (answer: Answer) => void) => void;
  readonly applied: (applied: Applied) => void;
  /** Whoever asked has been told. */
  readonly told: (applied: Applied) => void;
}

/** What is claimed is applied now, or refused after all. */
export type GoOn = (refusal?: { readonly code: string; readonly message: string }) => void;

export interface Applied {
  readonly name: CommandName;
  readonly command: string;
  readonly params: Params;
  readonly outcome: CommandOutcome;
}

type Params = Readonly<Record<string, unknown>>;

/** Carries out one connection's commands by the claim rule: looked up, looked at, claimed, applied once. */
export class CommandRunner {
  readonly #parts: CommandRunnerParts;
  /** The requests that wait for a command in hand. */
  readonly #inHand = new Map<string, IncomingRequest[]>();
  #dropped = false;

  constructor(parts: CommandRunnerParts) {
    this.#parts = parts;
  }

  get waiting(): boolean {
    return this.#inHand.size > 0;
  }

  get leftOver(): readonly string[] {
    return [...this.#inHand.keys()];
  }

  take(request: IncomingRequest): void {
    const { fault } = this.#parts;
    const { method, params } = request;
    if (method === 'journal') request.reply({ entries: this.#journal(params['commands'] as string[]) });
    else if (isAskedName(method) && this.#parts.capabilities.includes(method))
      request.reply(this.#told(method));
    else if (isCommandName(method)) this.#command(request, method);
    else if (fault !== 'mute-on-unknown') request.refuse('methodNotFound', `there is no ${method}`);
  }

  #told(name: AskedName): object {
    const { state, otherFarms, fault } = this.#parts;
    if (name === 'screenshot') return { png: fault === 'no-png' ? 'R0lGODlh' : dotPng };
    return { farms: listedFarms(state(), otherFarms, fault) };
  }

  /** The connection is lost: what was not granted by now never will be. */
  drop(): void {
    this.#dropped = true;
  }

  #command(request: IncomingRequest, name: CommandName): void {
    const { capabilities, fault, heard, journal, mood } = this.#parts;
    heard(name);
    if (mood() === 'silent') return;
    const command = String(request.params['command']);
    const known = fault === 'applies-twice' ? undefined : journal.get(command);
    const waiting = this.#inHand.get(command);
    if (known !== undefined) request.reply(known);
    else if (waiting !== undefined) waiting.push(request);
    else if (capabilities.includes(name)) this.#decide(request, name, command);
    else if (fault !== 'mute-on-unsupported')
      request.reply(refused('unsupported', `this game has no ${name}`));
  }

  #decide(request: IncomingRequest, name: CommandName, command: string): void {
    const { claim, fault, held, mood: moodNow } = this.#parts;
    const { command: _, ...params } = request.params;
    const mood = moodNow();
    const looked = this.#looked(name, params, mood);
    if ('outcome' in looked) {
      request.reply(looked);
      return;
    }
    this.#inHand.set(command, [request]);
    const apply = () => this.#apply(name, command, params, looked.apply());
    const applyUnlessEnded = () => {
      // A promise given to the journal's reader, or a lost connection, has ended this command.
      if (this.#inHand.has(command) && (!this.#dropped || fault === 'impatient')) apply();
    };
    if (fault === 'no-claim') {
      applyUnlessEnded();
      return;
    }
    claim(command, (answer) => {
      if (answer.kind === 'unanswered') return;
      if (!isGranted(answer) && fault !== 'ignores-denial') this.#finish(command, { outcome: 'void' });
      else if (mood === 'claims-and-is-silent')
        held((refusal) => {
          if (refusal === undefined) apply();
          else this.#finish(command, refused(refusal.code as RefusalCode, refusal.message));
        });
      else applyUnlessEnded();
    });
    if (fault === 'impatient') setTimeout(applyUnlessEnded, impatienceMs);
  }

  #looked(name: CommandName, params: Params, mood: Mood): Deed {
    if (typeof mood === 'object') return refused(mood.refuses as RefusalCode, mood.message);
    const { fault } = this.#parts;
    const wrong = fault === 'takes-any-value' ? undefined : outOfRange(name, params);
    if (wrong !== undefined) return wrong;
    if (name === 'newFarm' || name === 'loadFarm')
      return farmDeed(this.#parts.state(), this.#parts.otherFarms, name, params, fault);
    return deed(this.#believed(name), name, params, fault);
  }

  /** The farm, as a game sees it that does not look who plays. */
  #believed(name: CommandName): WholeState {
    const { fault, state } = this.#parts;
    if (fault === 'saves-while-played' && name === 'save') return { ...state(), players: [] };
    if (fault === 'stops-unsaved' && name === 'stop') return { ...state(), players: [robin] };
    return state();
  }

  #apply(name: CommandName, command: string, params: Params, outcome: CommandOutcome): void {
    const applied = { name, command, params, outcome };
    this.#parts.applied(applied);
    this.#finish(command, outcome);
    this.#parts.told(applied);
  }

  #finish(command: string, outcome: CommandOutcome): void {
    for (const { reply } of this.#inHand.get(command) ?? []) reply(outcome);
    this.#inHand.delete(command);
  }

  #journal(commands: readonly string[]): object[] {
    const { fault, journal, otherwise } = this.#parts;
    return commands.map((command) => {
      const outcome = fault === 'empty-journal' ? undefined : journal.get(command);
      if (outcome !== undefined) return { command, state: 'applied', outcome };
      if (otherwise === 'absent' && fault !== 'breaks-its-promise')
        this.#finish(command, { outcome: 'void' });
      return { command, state: otherwise };
    });
  }
}

function isAskedName(name: string): name is AskedName {
  return askedNames.some((asked) => asked === name);
}

function isGranted(answer: Answer): boolean {
  return answer.kind === 'result' && Object(answer.result).granted === true;
}
