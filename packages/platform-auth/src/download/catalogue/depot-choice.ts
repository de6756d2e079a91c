import { gameAppId } from '@steward/shared/sidecar/download';
import type { LanguageCode } from '../filter/languages.ts';
import { ContentError, shown } from '../problems/problem.ts';
import type { AppContent, DepotInfo } from './product-info.ts';

/** What the game's server runs on, whatever this program runs on. */
const system = 'linux';
const architecture = '64';
const publicBranch = 'public';
/** The language of the files that have none in their names. */
const commonLanguage = 'english';

/** The platform's words for the languages that can be kept. */
const platformLanguages: Readonly<Record<LanguageCode, string>> = {
  'de-DE': 'german',
  'es-ES': 'spanish',
  'fr-FR': 'french',
  'hu-HU': 'hungarian',
  'it-IT': 'italian',
  'ja-JP': 'japanese',
  'ko-KR': 'koreana',
  'pt-BR': 'brazilian',
  'ru-RU': 'russian',
  'tr-TR': 'turkish',
  'zh-CN': 'schinese',
  'th-TH': 'thai',
};

export interface ChosenDepot {
  readonly depotId: number;
  readonly manifestId: string;
  /** The branch that names this manifest: the platform wants it told when it is asked for. */
  readonly branch: string;
}

/** Every depot that this system needs, in the platform's order, each with its manifest on the branch. */
export function chooseDepots(
  appId: number,
  content: AppContent,
  choice: { readonly branch: string; readonly languages: readonly LanguageCode[] },
): readonly ChosenDepot[] {
  const { languages } = choice;
  // What is chosen is a branch of the game; the SDK beside it has none of the game's.
  const wanted = appId === gameAppId ? choice.branch : publicBranch;
  checkBranch(appId, content, wanted);
  const spoken = new Set([commonLanguage, ...languages.map((code) => platformLanguages[code])]);
  const chosen = content.depots
    .filter((depot) => fits(depot, spoken))
    .flatMap(({ depotId, manifestIds }) => {
      // A depot that a branch does not change is not listed for it.
      const branch = manifestIds.has(wanted) ? wanted : publicBranch;
      const manifestId = manifestIds.get(branch);
      return manifestId === undefined ? [] : [{ depotId, manifestId, branch }];
    });
  if (chosen.length === 0)
    throw new ContentError('nothing-for-this-system', `App ${appId} has no depot for ${system}`);
  return chosen;
}

function fits(depot: DepotInfo, spoken: ReadonlySet<string>): boolean {
  if (depot.isForeign || depot.isLowViolence) return false;
  const { systems = [system], architecture: needed = architecture, language = commonLanguage } = depot;
  return systems.includes(system) && needed === architecture && spoken.has(language);
}

function checkBranch(appId: number, { branches }: AppContent, wanted: string): void {
  // Apps without any word of branches have the public one.
  if (wanted === publicBranch) return;
  const found = branches.find(({ name }) => name === wanted);
  if (found !== undefined && !found.wantsPassword) return;
  const open = branches.filter(({ wantsPassword }) => !wantsPassword).map(({ name }) => name);
  const names = [...new Set([publicBranch, ...open])].join(', ');
  const reason = found === undefined ? 'does not exist' : 'needs a password';
  throw new ContentError(
    'no-such-branch',
    `The branch ${shown(wanted)} of app ${appId} ${reason}`,
    `Set PLATFORM_BRANCH to one of: ${shown(names).slice(1, -1)}`,
  );
}
