import { z } from 'zod';
import type { chatEndpoints } from '../endpoints/chat.ts';
import type { Answers } from './parts.ts';

const opened = z.undefined().meta({ description: 'WebSocket from here on' });

export const chatAnswers = {
  openWebSocket: { 101: opened, '2XX': opened },
} satisfies Record<keyof typeof chatEndpoints, Answers>;
