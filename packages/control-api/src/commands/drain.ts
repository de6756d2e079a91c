import type { Command } from '@steward/service-kit/command-line/program';
import type { AnswerOf } from '@steward/shared/api/answers';
import { drainEndpoints } from '@steward/shared/api/endpoints/drain';
import { apiCommand, type Shown } from './api-command.ts';

const { startDrain, cancelDrain } = drainEndpoints;

/** Seeing players off, for whoever has a terminal where the service runs. */
export const drainCommands: Readonly<Record<string, Command>> = {
  drain: apiCommand<'startDrain'>('drain', startDrain, begun, { needsService: true }),
  'drain cancel': apiCommand<'cancelDrain'>('drain cancel', cancelDrain, ended, { needsService: true }),
};

/** What goes on is told by its operation, for a script to follow. */
function begun({ operationId, message }: Pick<AnswerOf<'startDrain'>, 'operationId' | 'message'>): Shown {
  return { result: operationId, note: message };
}

function ended({ message }: AnswerOf<'cancelDrain'>): Shown {
  return { result: message };
}
