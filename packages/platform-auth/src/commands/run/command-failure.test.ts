import { readConfiguration } from '@steward/service-kit/configuration/read';
import { OperatorError } from '@steward/service-kit/process/errors';
import { expect, it } from 'vitest';
import { variables } from '../../configuration.ts';
import { PlatformFailure } from '../../platform/failure.ts';
import { failureOfEresult, failureTable } from '../../platform/failure-table.ts';
import { NoTicket } from '../../tickets/app-tickets.ts';
import { commandFailure, networkRemedy } from './command-failure.ts';
import { exitCodeRows, exitCodes } from './exit-codes.ts';

const ofNetwork = 'Try again later, or fix the proxy';

it('every exit code means one thing', () => {
  const codes = exitCodeRows.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
});

const ofClass = {
  transient: 'network',
  'rate-limited': 'rate-limited',
  replaced: 'login-refused',
  'dead-credential': 'login-refused',
} as const;

it.each(Object.keys(failureTable).map(Number))(
  'a platform that answers %i ends a command by the class that the failure table gives it, in the same words',
  (eresult) => {
    const failure = failureOfEresult(eresult);
    const ended = commandFailure(new PlatformFailure(failure), ofNetwork);
    const how = failure.wantsTerminal ? 'two-factor' : ofClass[failure.class];
    expect(ended?.exitCode).toBe(exitCodes[how].code);
    expect(ended?.lines.join()).toContain(`${failure.reason}. `);
    // The service tries again by itself; a command does not, and must not say so.
    expect(ended?.lines.join()).not.toMatch(/by itself|restart/);
    // Where the platform answered, the way to it is whole.
    expect(ended?.lines.join().includes(`${ofNetwork}. \`platform-auth doctor\``)).toBe(
      failure.noAnswer === true,
    );
  },
);

it('a ticket that is refused tells an account without the game from any other trouble', () => {
  const denied = failureOfEresult(15);
  expect(commandFailure(new NoTicket(denied, true, 0), ofNetwork)?.exitCode).toBe(6);
  expect(commandFailure(new NoTicket(failureOfEresult(25), false, 0), ofNetwork)?.exitCode).toBe(5);
});

it('what the operator can fix stays as it is, and what nobody foresaw is no failure of a command', () => {
  const known = new OperatorError('PORT is wrong');
  expect(commandFailure(known, ofNetwork)).toBe(known);
  expect(commandFailure(new TypeError('x is undefined'), ofNetwork)).toBeUndefined();
});

it.each([
  [{}, 'Try again later; behind a proxy, set PLATFORM_PROXY'],
  [{ PLATFORM_PROXY: 'http://ann:SECRET@a:1' }, 'Try again later, or fix the proxy of PLATFORM_PROXY'],
  [{ ALL_PROXY: 'socks5://a:1' }, 'Try again later, or fix the proxy of ALL_PROXY'],
  [{ HTTPS_PROXY: 'http://a:1', NO_PROXY: '*' }, 'Try again later; behind a proxy, set PLATFORM_PROXY'],
])('fits the proxy that leads to the platform: %j', (environment, remedy) => {
  expect(networkRemedy(readConfiguration(variables, environment))).toBe(remedy);
});
