import type { Account, Guard } from '../accounts/accounts.ts';

/** EAuthSessionGuardType, in steammessages_auth.steamclient.proto. */
export const guardTypes = {
  none: 1,
  'email-code': 2,
  'device-code': 3,
  'device-confirmation': 4,
  'email-confirmation': 5,
  'machine-token': 6,
  'legacy-machine': 7,
} as const;

/** CAuthentication_AllowedConfirmation. */
export interface AllowedConfirmation {
  readonly confirmation_type: number;
  readonly associated_message: string;
}

export function allowedConfirmations(account: Account, machineIsKnown: boolean): AllowedConfirmation[] {
  if (machineIsKnown) return [confirmation('none', account)];
  return account.guards.flatMap((guard) => [
    confirmation(guard, account),
    // Whoever may enter an e-mail code may also show the token of a machine that entered one before.
    ...(guard === 'email-code'
      ? [{ confirmation_type: guardTypes['machine-token'], associated_message: '' }]
      : []),
  ]);
}

function confirmation(guard: Guard, account: Account): AllowedConfirmation {
  const byEmail = guard === 'email-code' || guard === 'email-confirmation';
  return { confirmation_type: guardTypes[guard], associated_message: byEmail ? account.emailDomain : '' };
}
