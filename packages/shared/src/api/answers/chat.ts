import { z } from 'zod';
import { receipt } from '../../chat/receipt.ts';
import type { chatEndpoints } from '../endpoints/chat.ts';
import { type Answers, changed } from './parts.ts';

const { truncated, length } = receipt;

const opened = z.undefined().meta({ description: 'WebSocket from here on' });

export const chatAnswers = {
  sendChat: {
    200: z
      .object({
        ...changed,
        status: z.literal('delivered').meta({ description: 'The game has shown it, as in `chat_sent`' }),
        truncated,
        length,
      })
      .meta({ id: 'ChatSent' }),
  },
  openWebSocket: { 101: opened, '2XX': opened },
} satisfies Record<keyof typeof chatEndpoints, Answers>;
