import type { Clock } from '@steward/service-kit/clock';
import type { Logger } from '@steward/service-kit/log/logger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GameBridge } from '../../game/game-bridge.ts';
import type { InviteWay } from '../../invites/invite-way.ts';
import type { Ownership } from '../../ownership/ownership.ts';
import type { Settings } from '../../settings/settings.ts';
import type { StateDirectory } from '../../store/state-directory.ts';
import type { UnreadFiles } from '../../store/unread-files.ts';
import { sendPrepared } from '../bodies/prepared-answer.ts';
import type { StateAnswers, StatePath } from '../bodies/state-answers.ts';

/** What routes answer from. */
export interface RouteParts {
  readonly bridge: GameBridge;
  readonly inviteWay: InviteWay;
  readonly settings: Settings;
  readonly ownership: Ownership;
  readonly unread: UnreadFiles;
  readonly disk: Pick<StateDirectory, 'problem'>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly answers: StateAnswers;
}

/** A handler that sends what was made of the last pushed state, and how old that is. */
export function answerFromState({ answers }: Pick<RouteParts, 'answers'>, path: StatePath) {
  const answer = answers.get(path);
  if (answer === undefined) throw new Error(`there is no answer for ${path}`);
  return (request: Pick<FastifyRequest, 'headers'>, reply: Pick<FastifyReply, 'getHeaders' | 'hijack'>) =>
    sendPrepared(request, reply, answer.prepared(), answer.ageMs());
}
