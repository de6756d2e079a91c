import type { ClaimResult } from '@steward/shared/bridge/claims';
import type { Command, CommandName } from '@steward/shared/bridge/commands';
import type { CommandOutcome } from '@steward/shared/bridge/outcome';
import type { StateParams } from '@steward/shared/bridge/state/sections';
import type { GameLink } from '../operations/game-link.ts';
import type { Answer } from '../rpc/answer.ts';
import type { Params } from '../rpc/json-rpc-peer.ts';
import type { ExistingChat } from './existing-chat.ts';
import type { ExistingClient, WriteResult } from './existing-client.ts';
import { callOf, existingCapabilities, refusalOf } from './existing-commands.ts';

export interface ExistingLinkParts {
  readonly client: Pick<ExistingClient, 'write'>;
  readonly chat: () => Promise<Pick<ExistingChat, 'say'> | undefined>;
  readonly sections: () => StateParams;
  readonly claim: (id: string, link: GameLink) => Promise<ClaimResult>;
  /** Something was done: what the slow reads show may have changed. */
  readonly changed: () => void;
}

/** The existing server as operations see a game. It knows no claims, so this side claims before it says anything. */
export class ExistingLink implements GameLink {
  readonly capabilities: ReadonlySet<string> = new Set(existingCapabilities);
  readonly farmId = undefined;
  readonly #parts: ExistingLinkParts;

  constructor(parts: ExistingLinkParts) {
    this.#parts = parts;
  }

  send(name: CommandName, { command: id, ...params }: Params, settle: (answer: Answer) => void): () => void {
    let isForgotten = false;
    const say = (result: CommandOutcome): void => {
      if (!isForgotten) settle({ kind: 'result', result });
    };
    void this.#run({ name, params } as Command, String(id), say);
    return () => {
      isForgotten = true;
    };
  }

  /** It keeps none: what it was not heard to answer stays unknown for good. */
  async journal(): Promise<undefined> {
    return undefined;
  }

  async #run(command: Command, id: string, say: (outcome: CommandOutcome) => void): Promise<void> {
    const { granted } = await this.#parts.claim(id, this);
    if (!granted) return;
    const outcome = command.name === 'sendChat' ? await this.#chat(command) : await this.#write(command);
    if (outcome !== undefined) say(outcome);
  }

  async #write(command: Command): Promise<CommandOutcome | undefined> {
    const call = callOf(command as Parameters<typeof callOf>[0], this.#parts.sections());
    if ('outcome' in call) return call;
    const result = await this.#parts.client.write(call.method, call.path, call.query);
    this.#parts.changed();
    return outcomeOf(result, call.applied);
  }

  async #chat({ params }: Extract<Command, { name: 'sendChat' }>): Promise<CommandOutcome | undefined> {
    const chat = await this.#parts.chat();
    if (chat === undefined)
      return {
        outcome: 'refused',
        code: 'not-ready',
        message: 'The chat of the existing server is not connected',
      };
    const said = await chat.say(params.author, params.message);
    return said === 'said' ? { outcome: 'applied', before: {}, after: {} } : undefined;
  }
}

/** Undefined where it may have been applied: the operation's deadline says that nobody knows. */
function outcomeOf(
  result: WriteResult,
  applied: (answer: Extract<WriteResult, { kind: 'answer' }>['answer']) => CommandOutcome,
): CommandOutcome | undefined {
  switch (result.kind) {
    case 'answer':
      return result.answer.success
        ? applied(result.answer)
        : refusalOf(result.answer.error ?? 'it gave no reason');
    case 'busy':
      return { outcome: 'refused', code: 'busy', message: 'The game is too busy to take it now' };
    case 'not-sent':
      return { outcome: 'void' };
    case 'unknown':
      return undefined;
  }
}
