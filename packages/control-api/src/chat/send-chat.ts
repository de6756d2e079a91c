import { endpoints } from '@steward/shared/api/endpoints';
import { codePoints, type Measure, shownAuthor, shownMessage } from '@steward/shared/chat/line';
import { humanText } from '@steward/shared/wire-values';
import type { Audit } from '../audit/audit.ts';
import type { Who } from '../audit/refusals.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import type { CommandResult } from '../game/operations/operation.ts';

/** Of an author in the audit: more than is ever shown. */
const shownName = humanText(100);

/** What became of a line of the chat, by whichever door it came. */
export type Said =
  | { readonly kind: 'nothing-to-show'; readonly of: 'author' | 'message'; readonly reason: string }
  | { readonly kind: 'too-many' }
  /** Nobody could tell later who said it. */
  | { readonly kind: 'not-recorded'; readonly reason: string }
  /** Where what is shown is not all of it: how many characters there are. */
  | { readonly kind: 'sent'; readonly result: CommandResult; readonly cutTo: number | undefined };

/** The same as clients are told it: the payload of `chat_sent` without its id. */
export interface Receipt {
  readonly status: 'delivered' | 'refused' | 'unknown';
  readonly reason?: string;
  /** Where what was shown is not all of it. */
  readonly truncated?: true;
  /** Then: how many characters were shown. */
  readonly length?: number;
}

export interface ChatLine {
  readonly author: string;
  readonly message: string;
}

export type SendChat = (line: ChatLine, idempotencyKey?: string) => Promise<Said>;

const utf16Units: Measure = ({ length }) => length;

/** Says something in the game, as text. It is refused while there is no game, never kept for later. */
export function sendChatOver(bridge: Pick<GameBridge, 'run' | 'state'>, mostInHand: number): SendChat {
  let inHand = 0;
  return async (given, idempotencyKey) => {
    // The existing server counts like that, and would itself cut what is longer, without a word.
    const measure = bridge.state.selfHosted === undefined ? codePoints : utf16Units;
    const message = shownMessage(given.message, measure);
    if (!message.ok) return { kind: 'nothing-to-show', of: 'message', reason: message.reason };
    const author = shownAuthor(given.author, measure);
    if (!author.ok) return { kind: 'nothing-to-show', of: 'author', reason: author.reason };
    if (inHand >= mostInHand) return { kind: 'too-many' };
    inHand += 1;
    try {
      const { text, isCut } = message.value;
      const params = { author: author.value.text, message: text };
      const result = await bridge.run({ name: 'sendChat', params }, { idempotencyKey });
      return { kind: 'sent', result, cutTo: isCut ? codePoints(text) : undefined };
    } finally {
      inHand -= 1;
    }
  };
}

export type RecordedChat = (line: ChatLine, who: Who) => Promise<Said>;

/** With a line in the audit before what became of it is told; what was said is in none. */
export function recordedChat(sendChat: SendChat, audit: Pick<Audit, 'begin' | 'whyNot'>): RecordedChat {
  return async (line, who) => {
    const problem = audit.whyNot(who.keyId);
    if (problem !== undefined) return { kind: 'not-recorded', reason: problem.reason };
    const begun = audit.begin({
      ...who,
      door: 'ws',
      action: 'sendChat',
      says: endpoints.sendChat.audit,
      parameters: { author: shownName.parse(line.author) },
    });
    const said = await sendChat(line);
    const operationId =
      said.kind === 'sent' && said.result.kind === 'operation' ? said.result.operation.id : undefined;
    await begun.ended({ outcome: 'refused', operationId });
    return said;
  };
}

export const tooManyWait = 'Too many messages wait for the game; try again later';

export function receiptOf(said: Said): Receipt {
  switch (said.kind) {
    case 'nothing-to-show':
      return refused(
        said.of === 'message'
          ? 'The message is empty, or has no visible character'
          : 'The author has no visible character; leave it empty instead',
      );
    case 'not-recorded':
      return refused(`This key cannot write now: ${said.reason}`);
    case 'too-many':
      return refused(tooManyWait);
    case 'sent': {
      const receipt = receiptOfResult(said.result);
      if (said.cutTo === undefined || receipt.status === 'refused') return receipt;
      return { ...receipt, truncated: true, length: said.cutTo };
    }
  }
}

function receiptOfResult(result: CommandResult): Receipt {
  if (result.kind === 'unavailable' || result.kind === 'key-unreadable')
    return refused(`The game cannot show it now: ${result.reason}`);
  if (result.kind === 'unsupported') return refused('This game cannot show chat from outside');
  if (result.kind === 'key-reused') return refused('This key was used for another request');
  const { state, outcome, why, notDurable } = result.operation;
  if (state === 'applied') return { status: 'delivered' };
  if (state === 'refused')
    return refused(outcome?.outcome === 'refused' ? outcome.message : 'The game refused it');
  if (notDurable) return refused(`It was not sent: ${why}`);
  if (state === 'void') return refused(`The game did not accept it: ${why ?? 'no answer in time'}`);
  return { status: 'unknown', reason: 'The game accepted it and has not said whether it was shown' };
}

function refused(reason: string): Receipt {
  return { status: 'refused', reason };
}
