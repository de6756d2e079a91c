import { isBlank } from '@steward/shared/blank';
import { chatLimits } from '@steward/shared/chat/limits';
import type { GameBridge } from '../game/game-bridge.ts';
import type { CommandResult } from '../game/operations/command-result.ts';
import { codePoints, cut, oneLine } from './clean.ts';

/** What became of a message: the payload of `chat_sent` without its id. */
export interface Receipt {
  readonly status: 'delivered' | 'refused' | 'unknown';
  readonly reason?: string;
  /** Where what was shown is not all of it. */
  readonly truncated?: true;
  /** Then: how many characters were shown. */
  readonly length?: number;
}

export type SendChat = (given: { author: string; message: string }) => Promise<Receipt>;

const nobody = 'Anonymous';

/** Says something in the game, as text. It is refused while there is no game, never kept for later. */
export function sendChatOver(bridge: Pick<GameBridge, 'run'>, mostInHand: number): SendChat {
  let inHand = 0;
  return async (given) => {
    const [author, line] = [oneLine(given.author), oneLine(given.message)];
    if (isBlank(line)) return refused('The message is empty, or shows nothing');
    // An empty author stands for nobody; one that only looks empty would stand for anybody.
    if (author !== '' && isBlank(author)) return refused('The author shows nothing; leave it empty instead');
    const { text: shownAuthor } = cut(author || nobody, chatLimits.authorCharacters);
    const { text: message, isCut } = cut(line, chatLimits.messageCharacters);
    if (inHand >= mostInHand) return refused('Too many messages wait for the game; try again later');
    inHand += 1;
    try {
      const params = { author: shownAuthor, message };
      const receipt = receiptOf(await bridge.run({ name: 'sendChat', params }));
      if (!isCut || receipt.status === 'refused') return receipt;
      return { ...receipt, truncated: true, length: codePoints(message) };
    } finally {
      inHand -= 1;
    }
  };
}

function receiptOf(result: CommandResult): Receipt {
  if (result.kind === 'unavailable' || result.kind === 'unkept')
    return refused(`The game cannot take it now: ${result.reason}`);
  if (result.kind === 'unsupported') return refused('This game cannot show chat from outside');
  const { state, outcome, why, unkept } = result.operation;
  if (state === 'applied') return { status: 'delivered' };
  if (state === 'refused')
    return refused(outcome?.outcome === 'refused' ? outcome.message : 'The game refused it');
  if (unkept) return refused(`It was not sent: ${why}`);
  if (state === 'void') return refused(`The game did not take it: ${why ?? 'no answer in time'}`);
  return { status: 'unknown', reason: 'The game took it and has not said whether it was shown' };
}

function refused(reason: string): Receipt {
  return { status: 'refused', reason };
}
