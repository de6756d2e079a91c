import type { Command, CommandName } from '@steward/shared/bridge/commands';
import { rpcErrorCodes } from '@steward/shared/bridge/json-rpc';
import type { ClaimResult, CommandOutcome } from '@steward/shared/bridge/outcome';
import type { Answer, Params } from '@steward/shared/bridge/peer';
import type { StateParams } from '@steward/shared/bridge/state';
import { troubleText } from '@steward/shared/problems/trouble';
import type { GameLink } from '../operations/live-operation.ts';
import { type ChatLost, passes } from '../state/bridge-state.ts';
import type { ExistingChat } from './existing-chat.ts';
import type { ExistingClient, WriteResult } from './existing-client.ts';
import { callOf, existingCapabilities, existingQuestions, refusalOf } from './existing-commands.ts';

export interface ExistingLinkParts {
  readonly client: Pick<ExistingClient, 'write'>;
  readonly chat: () => Promise<Pick<ExistingChat, 'say'> | undefined>;
  readonly chatLost: () => ChatLost | undefined;
  readonly sections: () => StateParams;
  readonly claim: (id: string, link: GameLink) => Promise<ClaimResult>;
  /** Something was done: what the slow reads show may have changed. */
  readonly changed: () => void;
}

/** The existing server as operations see a game. It knows no claims, so this side claims before it says anything. */
export class ExistingLink implements GameLink {
  readonly capabilities: ReadonlySet<string> = new Set([...existingCapabilities, ...existingQuestions]);
  readonly farmId = undefined;
  readonly #parts: ExistingLinkParts;

  constructor(parts: ExistingLinkParts) {
    this.#parts = parts;
  }

  send(name: CommandName, { command: id, ...params }: Params, settle: (answer: Answer) => void): () => void {
    let isForgotten = false;
    const say = (answer: Answer): void => {
      if (!isForgotten) settle(answer);
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

  async #run(command: Command, id: string, say: (answer: Answer) => void): Promise<void> {
    const { granted } = await this.#parts.claim(id, this);
    if (!granted) return;
    say(command.name === 'sendChat' ? await this.#chat(command) : await this.#write(command));
  }

  async #write(command: Command): Promise<Answer> {
    const call = callOf(command as Parameters<typeof callOf>[0], this.#parts.sections());
    if ('outcome' in call) return answered(call);
    const result = await this.#parts.client.write(call);
    this.#parts.changed();
    return answerOf(result, call.applied);
  }

  async #chat({ params }: Extract<Command, { name: 'sendChat' }>): Promise<Answer> {
    const chat = await this.#parts.chat();
    if (chat === undefined) {
      const lost = this.#parts.chatLost() ?? { reason: 'it is being connected', remedy: passes };
      const message = `The chat of the existing server does not work: ${troubleText(lost)}`;
      return answered({ outcome: 'refused', code: 'not-ready', message });
    }
    const said = await chat.say(params.author, params.message);
    if (said === 'said') return answered({ outcome: 'applied', before: {}, after: {} });
    return mayHaveBeenApplied('it did not handle the line in time');
  }
}

function answerOf(
  result: WriteResult,
  applied: (answer: Extract<WriteResult, { kind: 'answer' }>['answer']) => CommandOutcome,
): Answer {
  switch (result.kind) {
    case 'answer': {
      const { success, error = 'it gave no reason' } = result.answer;
      if (success) return answered(applied(result.answer));
      const refusal = refusalOf(error);
      return refusal === undefined ? mayHaveBeenApplied(error) : answered(refusal);
    }
    case 'played':
      return answered({ outcome: 'refused', code: 'players-online', message: result.why });
    case 'unsupported':
      return answered({ outcome: 'refused', code: 'unsupported', message: result.why });
    case 'busy':
      return answered({ outcome: 'refused', code: 'busy', message: 'The game is too busy now' });
    case 'not-sent':
      return answered({
        outcome: 'refused',
        code: 'not-ready',
        message: `The existing server: ${result.why}`,
      });
    case 'unknown':
      return mayHaveBeenApplied(result.why);
  }
}

function answered(result: CommandOutcome): Answer {
  return { kind: 'result', result };
}

/** It may have been applied, and it keeps no journal: there is nothing to wait for. */
function mayHaveBeenApplied(message: string): Answer {
  return { kind: 'error', code: rpcErrorCodes.internalError, message };
}
