import type { Login } from '../session/login.ts';
import { downloadWith } from './download.ts';
import { logInAndThen } from './login.ts';
import { type CommandContext, runCommand } from './run-command.ts';

/** The whole first setup: logs in as `login` does, then brings the game. */
export function setup(): Promise<number> {
  return runCommand('setup', (context) => logInAndThen(context, afterLogin));
}

const whatIsNext =
  'Everything is set up. Start it: docker compose up -d (without Docker: this program with `serve`, and the control API). /status of the control API then says how the farm is';

/** What a first setup does with the session that it has just opened. */
async function afterLogin(login: Login, context: CommandContext): Promise<void> {
  await downloadWith(login, context, 'setup', new Set());
  context.say(whatIsNext);
}
