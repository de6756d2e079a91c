import type { Login } from '../session/login.ts';
import { logInAndThen } from './login.ts';
import { type CommandContext, runCommand } from './run-command.ts';

/** The whole first setup: logs in as `login` does, then brings the game. */
export function setup(): Promise<number> {
  return runCommand('setup', (context) => logInAndThen(context, afterLogin));
}

/** What a first setup does with the session that it has just opened. */
async function afterLogin(_login: Login, { say }: CommandContext): Promise<void> {
  say('The game’s files come with `platform-auth download`');
}
