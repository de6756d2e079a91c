import { StewardError } from '@steward/client';
import { askFirst } from '../../parts/dialog.tsx';
import { banWords as says } from '../../words.ts';

/** Puts somebody on a list. Where that may concern others, too, it says why and asks again first. */
export async function askingAgain<Answer>(put: (force?: true) => Promise<Answer>): Promise<Answer> {
  try {
    return await put();
  } catch (error) {
    if (!(error instanceof StewardError) || error.code !== 'ban-needs-force') throw error;
    const isSure = await askFirst({
      title: says.othersSure,
      text: error.detail,
      verb: says.othersVerb,
      isDangerous: true,
    });
    if (!isSure) throw error;
    return await put(true);
  }
}
