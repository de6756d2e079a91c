import { type Reason, reasons } from './matrix.ts';
import type { Visitor } from './visitor.ts';

/** How this API is reached from its own machine, as far as a line in the log can say. */
export interface OwnAddress {
  readonly url: string;
  readonly hasKey: boolean;
}

/** What an operator pastes into a shell to let the refused visitor in with this farmhand. */
export function remedyLine(
  reason: Reason,
  farmhandId: string,
  { identity }: Visitor,
  { url, hasKey }: OwnAddress,
): string | undefined {
  const row = reasons[reason];
  if (!('remedy' in row)) return undefined;
  const key = hasKey ? ' -H "Authorization: Bearer $API_KEY"' : '';
  // Without an identity there is nobody to bind it to: it can only be opened to whoever comes next.
  if (row.remedy === 'release' || typeof identity === 'string')
    return `curl -X POST "${url}/farmhands/release?playerId=${farmhandId}"${key}`;
  return `curl -X POST "${url}/farmhands/rebind?playerId=${farmhandId}&identity=${identity.id}"${key}`;
}
