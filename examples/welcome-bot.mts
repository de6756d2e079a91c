import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { steward } from '@steward/client';

const farm = steward({ url: process.env.API ?? 'http://127.0.0.1:8080', key: process.env.API_KEY });
const after = (existsSync('place') && readFileSync('place', 'utf8').trim()) || undefined;
for await (const { type, data, cursor } of farm.events({ topics: ['chat', 'players'], after })) {
  if (type === 'chat.said') console.log(`${data.playerName}: ${data.message}`.replace(/[\s\p{Cc}\p{Bidi_C}]/gu, ' '));
  if (type === 'players.joined') await farm.chat.say('Bot', `Welcome, ${data.playerName}!`, { idempotencyKey: cursor });
  if (type === 'gap') console.error('some of what happened is lost');
  writeFileSync('place', cursor);
}
