import type { Failure } from '../platform/failure.ts';
import type { Login } from '../session/login.ts';
import { AppTickets } from '../tickets/app-tickets.ts';
import { logInOnce, tellOfForeignToken } from './run/log-in-once.ts';
import { runCommand } from './run/run-command.ts';
import { severalTries } from './run/several-tries.ts';

/** Writes an encrypted app ticket to stdout: the base64 text and a line break, nothing else. */
export function ticket(): Promise<number> {
  return runCommand('ticket', async (context) => {
    await tellOfForeignToken(context, context.say);
    const tickets = new AppTickets({ clock: context.clock, counted: () => {} });
    const refused = new Map<string, Failure>();
    let login: Login | undefined;
    /** What cost the ticket may have cost the session, too; one that lives serves for the next try. */
    const loggedIn = async (): Promise<Login> => {
      if (login !== undefined) return login;
      const made = await logInOnce(context, refused);
      login = made;
      void made.session.ended.then(() => {
        login = undefined;
      });
      return made;
    };
    try {
      const { ticket: bytes } = await severalTries(async () => tickets.ticket(await loggedIn()), context);
      process.stdout.write(`${bytes.toString('base64')}\n`);
    } finally {
      await login?.session.close();
    }
  });
}
