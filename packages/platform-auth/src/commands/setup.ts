import type { Login } from '../session/login.ts';
import { downloadWith } from './download.ts';
import { logInAndThen } from './login.ts';
import { type CommandContext, runCommand } from './run-command.ts';

/** The whole first setup: logs in as `login` does, then brings the game. */
export function setup(): Promise<number> {
  return runCommand('setup', (context) => logInAndThen(context, afterLogin));
}

/** What a first setup does with the session that it has just opened. */
function afterLogin(login: Login, context: CommandContext): Promise<void> {
  return downloadWith(login, context, 'setup', new Set());
}
