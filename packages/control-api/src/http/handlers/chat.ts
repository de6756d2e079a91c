import { Problem } from '@steward/shared/problems/problem';
import type { ChatRelay } from '../../chat/chat-relay.ts';
import { receiptOf, tooManyWait } from '../../chat/send-chat.ts';
import { gameUnavailable } from '../../game/game-unavailable.ts';
import { appliedBy } from '../command-answers/game-command.ts';
import type { Handlers } from '../endpoints/handler.ts';

/** What is said over HTTP goes the way of what is said over `/ws`; only what became of it is told as of every command. */
export function chatHandlers(relay: Pick<ChatRelay, 'say'>): Pick<Handlers, 'sendChat'> {
  return {
    async sendChat({ query: { author = '', message }, idempotencyKey }) {
      const said = await relay.say({ author, message }, idempotencyKey);
      if (said.kind === 'nothing-to-show')
        throw new Problem('invalid-parameter', `${said.of} ${said.reason}`);
      if (said.kind !== 'sent') throw gameUnavailable(tooManyWait);
      const { operationId } = appliedBy(said.result);
      const { truncated, length } = receiptOf(said);
      return {
        success: true,
        message: 'The game has shown it',
        operationId,
        status: 'delivered',
        ...(truncated === undefined || length === undefined ? {} : { truncated, length }),
      };
    },
  };
}
