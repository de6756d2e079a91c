/** A line that begins with `!`, blanks aside, is for the game alone: it may hold a password. */
export function isChatCommand(message: string): boolean {
  return message.trimStart().startsWith('!');
}
