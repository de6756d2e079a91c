import { fromFirstVisible } from '../blank.ts';

/** A line that begins with `!`, as it is seen, is for the game alone: it may hold a password. */
export function isChatCommand(message: string): boolean {
  return fromFirstVisible(message).startsWith('!');
}
