import type { Operation, StewardError } from '@steward/client';
import { harmless } from '../text/outward.ts';
import type { Told } from './table.ts';

/** There is room for all of these in one message. */
const mostWords = 1_000;
const mostMatches = 10;
const mostMatchShown = 70;

/** How what takes long has ended. */
export function endText(name: string, { state, why, refusal }: Operation): string {
  if (state === 'applied') return `/${name}: done.`;
  const words = harmless(refusal?.message ?? why ?? 'unknown reason');
  if (state === 'unknown')
    return `/${name}: it is unknown whether this was done (${words}). Check before you repeat it.`;
  return `/${name} has failed: ${words}`;
}

/** What was not answered as it was asked. */
export function failed(error: StewardError): Told {
  const { applied, operationId, problem } = error;
  const matches = (problem?.matches ?? []).slice(0, mostMatches);
  const mark = applied === null ? 'It is not known yet whether this was done' : 'This was not done';
  return {
    text: [
      `${mark}: ${harmless(publicWords(error), mostWords)}`,
      ...matches.map(({ idStr, name }) => `• ${idStr} ${harmless(name, mostMatchShown)}`),
    ].join('\n'),
    ...(applied === null && operationId ? { operationId } : {}),
  };
}

/** Addresses and keys are for whoever reads the log. */
function publicWords({ detail, problem, status }: StewardError): string {
  if (problem === undefined) return 'The farm cannot be reached.';
  return status === 401 || status === 403 ? 'The key of the bot does not allow it.' : detail;
}
