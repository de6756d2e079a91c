import type { Failure } from '../platform/failure.ts';
import { resultCodes } from '../platform/result-codes.ts';

/** What LimitExceeded means where a ticket was asked for; anywhere else it is about logins. */
export const tooSoon: Failure = {
  class: 'rate-limited',
  reason: 'The platform has just given this account a ticket, and gives one a minute (LimitExceeded)',
  remedy: 'Run it again in a minute',
  eresult: resultCodes.limitExceeded,
};
