import { causeOf } from './cause-of.ts';
import type { Failure } from './failure.ts';

const certificateTrouble = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;

/** What mends a way on which Node trusts nobody; undefined where the cause is another. */
export function certificateRemedy(cause: string): string | undefined {
  return certificateTrouble.test(cause)
    ? 'Something on the way reads the traffic: give its certificate to Node in NODE_EXTRA_CA_CERTS, or go around it'
    : undefined;
}

/** What a library threw that says nothing of the platform's. `unanswered`: what else it may mean, where no cause is known. */
export function unreachable(error: unknown, unanswered = ''): Failure {
  const cause = causeOf(error);
  if (cause === undefined)
    return { class: 'transient', reason: `The platform cannot be reached${unanswered}`, noAnswer: true };
  const remedy = certificateRemedy(cause);
  return {
    class: 'transient',
    reason: `The platform cannot be reached (${cause})`,
    noAnswer: true,
    ...(remedy === undefined ? {} : { remedy }),
  };
}
