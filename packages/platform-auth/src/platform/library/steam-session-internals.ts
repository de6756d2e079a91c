import type { LoginSession } from 'steam-session';

/**
 * Everything that reaches into steam-session's private members stands in this file. It was written against this version;
 * a test compares it with the one that is installed.
 */
export const provenVersion = '1.9.4';

/** The part of the session that asks the platform. */
interface Handler {
  submitSteamGuardCode(code: object): Promise<void>;
  pollLoginStatus(login: object): Promise<object>;
}

/** A person cannot type what is lost with a login again in no time, so more polls than one may fail. */
const mostLostPolls = 3;

/** Keeps a login that the library would end, or leave to itself, though the platform still has it. */
export function keepGoing(
  session: LoginSession,
  saysOf: {
    /** That the platform has this code already. */
    readonly isTaken: (error: unknown) => boolean;
    readonly isTransient: (error: unknown) => boolean;
  },
): void {
  const handler: Handler = Reflect.get(session, '_handler');
  const submit = handler.submitSteamGuardCode.bind(handler);
  // The library polls for the token only after a code that it takes for right.
  handler.submitSteamGuardCode = (code) =>
    submit(code).catch((error) => {
      if (!saysOf.isTaken(error)) throw error;
    });
  const poll = handler.pollLoginStatus.bind(handler);
  let lost = 0;
  handler.pollLoginStatus = async (login) => {
    try {
      const answer = await poll(login);
      lost = 0;
      return answer;
    } catch (error) {
      lost += 1;
      if (lost > mostLostPolls || !saysOf.isTransient(error)) throw error;
      // Nothing new, so the library asks again; it still gives up after its time.
      return {};
    }
  };
}
