import { OperatorError } from '@steward/service-kit/process/errors';
import { z } from 'zod';
import type { RunningMember } from './running-member.ts';

/** How the emulated platform is reached, and with which account. */
export interface Emulated {
  readonly proxyUrl: string;
  readonly caFile: string;
  readonly ticketKey: string;
  readonly refreshToken: string;
}

const howToReach = z.object({
  proxyUrl: z.string(),
  caFile: z.string(),
  ticketKey: z.string(),
  accounts: z.tuple([z.object({ refreshToken: z.string() })]),
});

/** The emulator's one line of output says how to reach it, secrets included: it is read here and shown nowhere. */
export async function reach(emulator: RunningMember): Promise<Emulated> {
  const line = await emulator.firstLine;
  if (line === undefined) throw new OperatorError(`${emulator.name} ended; its log says why`);
  const { accounts, ...rest } = howToReach.parse(JSON.parse(line));
  return { ...rest, refreshToken: accounts[0].refreshToken };
}
