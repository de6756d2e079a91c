import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { backupFacts, restoredFacts } from '@steward/shared/api/answers/backups';
import { backupEndpoints } from '@steward/shared/api/endpoints/backups';
import { backupFileEnds } from '@steward/shared/backups';
import type { CommandResult } from '../../game/operations/operation.ts';
import { appliedBy } from '../command-answers/game-command.ts';
import { stillUnderWay } from '../command-answers/under-way.ts';
import type { Handlers } from '../endpoints/handler.ts';
import type { HandlerParts } from './parts.ts';

export function backupHandlers({
  backups,
  restores,
}: Pick<HandlerParts, 'backups' | 'restores'>): Handlers<keyof typeof backupEndpoints> {
  return {
    async listBackups() {
      const { backups: listed, unreadable, ...more } = await backups.list();
      return { backups: [...listed], unreadable: [...unreadable], ...more };
    },
    async createBackup({ query, idempotencyKey }, reply) {
      const result = await backups.create({ why: 'asked', ...query }, idempotencyKey);
      return stillUnderWay(result, reply, 'The backup is being made') ?? done(result, 'The backup is made');
    },
    async deleteBackup({ query: { id }, idempotencyKey }) {
      return done(await backups.remove(id, idempotencyKey), 'The backup is deleted');
    },
    async restoreBackup({ query: { id, what }, idempotencyKey }, reply) {
      const result = await restores.restore(id, what, idempotencyKey);
      return stillUnderWay(result, reply, 'The backup is being restored') ?? restored(result);
    },
    getBackupFile: {
      async handler(request, reply) {
        const { id } = request.params as { readonly id: string };
        const file = await open(await backups.fileOf(id));
        const { size } = await file.stat();
        reply
          .header('content-type', backupEndpoints.getBackupFile.mediaType)
          .header('content-length', size)
          .header('content-disposition', `attachment; filename="${id}${backupFileEnds}"`);
        if (request.method !== 'HEAD') return reply.send(file.createReadStream());
        // The framework would read to its end what it does not send.
        await file.close();
        return reply.send(Readable.from([]));
      },
    },
  };
}

function restored(result: CommandResult) {
  const after = restoredFacts.parse(appliedBy(result).outcome.after);
  const { backup: _, says, ...more } = after;
  return { ...done(result, `The backup is restored. ${says}`), ...more };
}

function done(result: CommandResult, message: string) {
  const { operationId, outcome } = appliedBy(result);
  const backup = backupFacts.parse(outcome.after['backup']);
  return { success: true as const, message, operationId, backup };
}
