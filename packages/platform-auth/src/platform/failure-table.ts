import type { Failure } from './failure.ts';

interface Row extends Omit<Failure, 'eresult'> {
  readonly name: string;
}

const transient = (name: string, reason: string): Row => ({ name, class: 'transient', reason });
/** What the library makes of a connection that failed: no word of the platform's. */
const unheard = (name: string, reason: string): Row => ({ ...transient(name, reason), noAnswer: true });
const rateLimited = (name: string, reason: string): Row => ({ name, class: 'rate-limited', reason });
const replaced = (name: string, reason: string): Row => ({ name, class: 'replaced', reason });
const dead = (name: string, reason: string, remedy?: string): Row => ({
  name,
  class: 'dead-credential',
  reason,
  remedy,
});

const guarded = (name: string, reason: string): Row => ({
  name,
  class: 'dead-credential',
  reason,
  remedy: 'Run `platform-auth login` in a terminal, where you can type the code',
  wantsTerminal: true,
});

const askThePlatform = "Ask the platform's support about the account, or use another account";

/** What each result code means when it answers a logon or ends a session. The names are the platform's own. */
export const failureTable: Readonly<Record<number, Row>> = {
  0: transient('Invalid', 'The platform ended the session without a reason'),
  2: transient('Fail', 'The platform failed without saying why'),
  3: unheard('NoConnection', 'The connection to the platform was lost'),
  5: dead('InvalidPassword', 'The platform refused the credential'),
  6: replaced('LoggedInElsewhere', 'The account was logged in elsewhere'),
  10: transient('Busy', 'The platform is busy'),
  11: transient('InvalidState', 'The platform was not in a state to log in'),
  15: dead('AccessDenied', 'The platform no longer accepts the credential; a changed password does that'),
  16: transient('Timeout', 'The platform ran out of time'),
  17: dead('Banned', 'The account is banned', askThePlatform),
  18: dead('AccountNotFound', 'The platform knows no such account'),
  20: transient('ServiceUnavailable', 'The platform is not available'),
  21: transient('NotLoggedOn', 'The platform forgot the session'),
  25: rateLimited('LimitExceeded', 'The platform allows no further attempt for now'),
  26: dead('Revoked', 'The credential was revoked'),
  27: dead('Expired', 'The credential has expired'),
  34: replaced('LogonSessionReplaced', 'Another program took over this session'),
  35: unheard('ConnectFailed', 'The platform could not be connected to'),
  36: unheard('HandshakeFailed', 'The connection to the platform failed at the start'),
  37: unheard('IOFailure', 'The connection to the platform broke'),
  38: unheard('RemoteDisconnect', 'The platform closed the connection'),
  43: dead('AccountDisabled', 'The account is disabled', askThePlatform),
  48: transient('TryAnotherCM', 'The platform asked to try another of its servers'),
  50: replaced('AlreadyLoggedInElsewhere', 'The account is logged in elsewhere already'),
  51: dead('Suspended', 'The account is suspended', askThePlatform),
  52: transient('Cancelled', 'The platform cancelled the request'),
  55: transient('RemoteCallFailed', 'A part of the platform did not answer'),
  63: guarded('AccountLogonDenied', 'The account is guarded by a code sent by e-mail'),
  65: guarded('InvalidLoginAuthCode', 'The code from the e-mail was wrong'),
  66: guarded('AccountLogonDeniedNoMail', 'The platform could not send the code by e-mail'),
  71: guarded('ExpiredLoginAuthCode', 'The code from the e-mail has expired'),
  72: dead('IPLoginRestrictionFailed', 'The account may not log in from this address', askThePlatform),
  73: dead('AccountLockedDown', 'The account is locked', askThePlatform),
  74: dead(
    'AccountLogonDeniedVerifiedEmailRequired',
    'The account needs a verified e-mail address',
    askThePlatform,
  ),
  76: transient('BadResponse', "The platform's answer could not be understood"),
  77: dead('RequirePasswordReEntry', 'The platform wants the password again'),
  79: transient('UnexpectedError', 'The platform had an internal error'),
  84: rateLimited('RateLimitExceeded', 'The platform counts too many logins from this address'),
  85: guarded('AccountLoginDeniedNeedTwoFactor', 'The account is guarded by a second factor'),
  87: rateLimited('AccountLoginDeniedThrottle', 'The platform counts too many failed logins of this account'),
  88: guarded('TwoFactorCodeMismatch', 'The code of the second factor was wrong'),
  101: guarded('NeedCaptcha', 'The platform wants a person to log in'),
  105: rateLimited('IPBanned', 'The platform refuses this address'),
  114: dead('AccountDeleted', 'The account was deleted', askThePlatform),
  126: dead('CachedCredentialInvalid', 'The platform no longer accepts the credential'),
};

/** A code that nobody foresaw is worth another try: the sidecar never gives up on what may pass. */
export function failureOfEresult(eresult: number): Failure {
  const row = failureTable[eresult];
  if (row === undefined)
    return { class: 'transient', reason: `The platform answered with code ${eresult}`, eresult };
  const { name, reason, ...rest } = row;
  return { ...rest, reason: `${reason} (${name})`, eresult };
}
