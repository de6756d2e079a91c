import { ExistingFailure } from './existing-failure.ts';

/** The existing sidecar may hold several accounts and numbers them; this one holds one, which is number 0. */
const onlyAccount = 0;

const number = /^[+-]?[0-9]+$/;

/** Refuses a call that means another account. What is no number means the first, as it does there. */
export function requireOnlyAccount(query: unknown): void {
  const given = accountOf(query);
  if (given === undefined || !number.test(given) || Number(given) === onlyAccount) return;
  throw new ExistingFailure(500, `There is no account ${given}: this sidecar holds one, which is account 0`);
}

function accountOf(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null || !('account' in query)) return undefined;
  const { account } = query;
  return typeof account === 'string' ? account.trim() : undefined;
}
