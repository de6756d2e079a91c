import type { AccountToken } from '../../platform/platform-session.ts';
import type { CommandContext } from '../run/run-command.ts';
import { guardApp } from './pass-guard.ts';
import { type Person, severalTriesBefore } from './person.ts';

const scanIt = 'Waiting for the phone. The code changes now and then; Ctrl-C gives up.';
const confirmIt = 'Scanned. Confirm the login on the phone.';

export async function logInByQr(context: CommandContext, person: Person): Promise<AccountToken> {
  const shown = person.showCode();
  let address = '';
  const show = (challenge: string, note: string): void => {
    address = challenge;
    shown.show({ address, note });
  };
  const { desk } = context.platform;
  const begin = () => desk.beginWithQr((challenge) => show(challenge, scanIt));
  const attempt = await severalTriesBefore(person, begin, context);
  try {
    return await person.wait(() => {
      person.tell(`Scan this with ${guardApp}, or open the address on that phone.`);
      show(attempt.challenge, scanIt);
      void attempt.opened.then(() => show(address, confirmIt));
      return attempt.finished;
    });
  } finally {
    shown.done();
    attempt.cancel();
  }
}
