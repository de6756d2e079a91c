import { OperatorError } from '@steward/service-kit/process/errors';
import type { Secret } from '@steward/service-kit/secret';
import { ticketKeyBytes } from '../networks/ticket-verifier.ts';

export function ticketKeyOf(secret: Secret | undefined): Buffer | undefined {
  if (secret === undefined) return undefined;
  const key = Buffer.from(secret.reveal(), 'hex');
  if (key.length === ticketKeyBytes && secret.reveal().length === 2 * ticketKeyBytes) return key;
  throw new OperatorError(
    `FARM_TICKET_KEY is malformed: it must be ${2 * ticketKeyBytes} hexadecimal digits`,
  );
}
