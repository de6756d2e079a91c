import { TicketDesk } from '../tickets/ticket-desk.ts';
import { logInOnce } from './log-in-once.ts';
import { runCommand } from './run-command.ts';

/** Writes an encrypted app ticket to stdout: the base64 text and a line break, nothing else. */
export function ticket(): Promise<number> {
  return runCommand('ticket', async (context) => {
    const login = await logInOnce(context);
    try {
      const desk = new TicketDesk({ clock: context.clock, counted: () => {} });
      const { ticket: bytes } = await desk.ticket(login);
      process.stdout.write(`${bytes.toString('base64')}\n`);
    } finally {
      await login.session.close();
    }
  });
}
