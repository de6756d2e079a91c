import { lobbyAnswer } from '@steward/shared/sidecar/lobby';
import type { PlatformAuthConfiguration } from '../../configuration.ts';
import { askService } from '../ask-service.ts';
import type { Check } from '../examination.ts';
import { failed, ok, type Result, skipped, warning } from '../finding.ts';
import type { Service } from './service.ts';

const limitMs = 14_000;

interface Needs {
  readonly configuration: PlatformAuthConfiguration;
  readonly service: Service;
}

/**
 * The lobby of the service that runs here. None is opened to try it out: an account is in one lobby at a time, so that would take
 * the players' lobby away, and another kind than the public one does not exist here.
 */
export const lobbyCheck: Check<Needs, true> = {
  name: 'lobby',
  title: 'Lobby',
  limitMs,
  async examine({ configuration, service }) {
    if (service.health === undefined) return skipped('only a running service has one');
    const asked = await askService(configuration, '/platform/lobby');
    if ('finding' in asked) return asked;
    const answer = lobbyAnswer.safeParse(asked.body);
    if (!answer.success)
      return failed('failure', 'the service says something else', 'Update it: it is of another version');
    return finding(answer.data.state, answer.data.reason ?? 'no reason is known');
  },
};

function finding(state: 'none' | 'creating' | 'open' | 'lost', reason: string): Result<true> {
  if (state === 'open') return ok('open and public', true);
  if (state === 'none') return ok('no game server has asked for one yet', true);
  return warning(`${state}: ${reason}`, 'None is needed: it comes back with the session', true);
}
