import { downloadWith, holdGameDirectory } from './download.ts';
import { logInAndThen } from './login/login.ts';
import { runCommand } from './run/run-command.ts';

/** The whole first setup: logs in as `login` does, then brings the game. */
export function setup(): Promise<number> {
  return runCommand('setup', async (context) => {
    const held = await holdGameDirectory(context, 'setup');
    await logInAndThen(context, async (login) => {
      await downloadWith(login, context, 'setup', new Set(), held);
      context.say(whatIsNext);
    });
  });
}

export const whatIsNext =
  'Everything is set up. Start it: docker compose up -d (without Docker: this program with `serve`, and the control API). Then /status of the control API shows the farm';
