import { z } from 'zod';
import { key } from './programs.ts';

const patienceMs = 2_000;

const status = z.object({
  steamInviteCode: z.string().optional(),
  gogInviteCode: z.string().optional(),
  obstacles: z.array(z.object({ code: z.string(), reason: z.string() })),
  inviteWay: z.array(z.object({ step: z.string(), state: z.string(), reason: z.string() })),
});

export type Status = z.infer<typeof status>;

/** What the control API shows; undefined while it does not answer. */
export async function shownStatus(origin: string): Promise<Status | undefined> {
  try {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${origin}/status`, { headers, signal: AbortSignal.timeout(patienceMs) });
    return status.parse(await answer.json());
  } catch (error) {
    if (error instanceof z.ZodError) throw error;
    return undefined;
  }
}
