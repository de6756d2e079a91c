import type { Failure } from '../session/failure.ts';
import { type TicketAnswer, TicketDesk } from '../tickets/ticket-desk.ts';
import { logInOnce, tellOfForeignToken } from './log-in-once.ts';
import { type CommandContext, runCommand } from './run-command.ts';
import { severalTries } from './several-tries.ts';

/** Writes an encrypted app ticket to stdout: the base64 text and a line break, nothing else. */
export function ticket(): Promise<number> {
  return runCommand('ticket', async (context) => {
    await tellOfForeignToken(context, context.say);
    const desk = new TicketDesk({ clock: context.clock, counted: () => {} });
    const refused = new Map<string, Failure>();
    const { ticket: bytes } = await severalTries(() => ticketOnce(desk, context, refused), context);
    process.stdout.write(`${bytes.toString('base64')}\n`);
  });
}

/** With a session for each try: what cost the ticket may have cost the session, too. */
async function ticketOnce(
  desk: TicketDesk,
  context: CommandContext,
  refused: Map<string, Failure>,
): Promise<TicketAnswer> {
  const login = await logInOnce(context, refused);
  try {
    return await desk.ticket(login);
  } finally {
    await login.session.close();
  }
}
