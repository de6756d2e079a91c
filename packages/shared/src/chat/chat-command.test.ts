import { expect, it } from 'vitest';
import { isChatCommand } from './chat-command.ts';

it.each(['!login secret', '  !login secret', '\t!', '\ufeff!x'])('knows %j for a command', (message) => {
  expect(isChatCommand(message)).toBe(true);
});

it.each(['hello!', '', 'say !login', '¡hola!'])('knows %j for chat', (message) => {
  expect(isChatCommand(message)).toBe(false);
});
