import { type Clock, systemClock } from '@steward/service-kit/clock';
import type { PlatformAuthConfiguration } from '../configuration.ts';
import type { PlatformSession } from '../platform/platform-session.ts';
import { chooseProxies } from '../platform/proxy-for.ts';
import type { GameFilesParts } from './background/game-files-parts.ts';
import { openPlatformContent } from './catalogue/platform-content.ts';
import { download, planDownload } from './download.ts';
import type { DownloadChoice } from './download-choice.ts';
import type { DownloadEvents, DownloadSummary } from './download-events.ts';
import { completeInterrupted } from './interrupted.ts';
import type { PlanFigures } from './plan/plan-figures.ts';
import { Places } from './tree/places.ts';

export type DownloadSettings = Pick<
  PlatformAuthConfiguration,
  | 'GAME_DIR'
  | 'PLATFORM_BRANCH'
  | 'PLATFORM_KEEP_LANGUAGES'
  | 'PLATFORM_KEEP_FILES'
  | 'PLATFORM_SKIP_SDK'
  | 'PLATFORM_PROXY'
  | 'HTTPS_PROXY'
  | 'ALL_PROXY'
  | 'NO_PROXY'
>;

export interface GameDownloadParts {
  /** Asked anew for every question: one may end and another begin meanwhile. */
  readonly session: () => PlatformSession | undefined;
  readonly settings: DownloadSettings;
  readonly events: DownloadEvents;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly command: string;
  readonly choice?: Partial<Pick<DownloadChoice, 'skipSdk' | 'verify' | 'anew'>>;
}

/** Brings the game from the platform to GAME_DIR. */
export async function downloadGame(parts: GameDownloadParts): Promise<DownloadSummary> {
  await using content = contentFor(parts);
  const { events, signal, clock, command } = parts;
  const now = (): Date => clock.date();
  return await download(choiceOf(parts), { ...content, events, signal, now, command });
}

export async function planGame(parts: GameDownloadParts): Promise<PlanFigures> {
  await using content = contentFor(parts);
  return await planDownload(choiceOf(parts), { ...content, events: parts.events, signal: parts.signal });
}

/** For the service, which downloads what is missing and leaves the rest to `platform-auth download`. */
export function backgroundDownload(
  settings: DownloadSettings,
  clock: Clock,
): Pick<GameFilesParts, 'places' | 'download' | 'complete'> {
  const places = new Places(settings.GAME_DIR);
  const command = 'serve';
  return {
    places,
    download: (session, events, signal) =>
      downloadGame({ session, settings, events, signal, clock, command }),
    complete: () => completeInterrupted(places, command, () => clock.date()),
  };
}

function contentFor({ session, settings, signal }: GameDownloadParts) {
  return openPlatformContent({
    session,
    proxyFor: chooseProxies(settings),
    // What is waited for on the network goes by the true time.
    clock: systemClock,
    branch: settings.PLATFORM_BRANCH,
    languages: settings.PLATFORM_KEEP_LANGUAGES.kept,
    signal,
  });
}

function choiceOf({ settings, choice = {} }: GameDownloadParts): DownloadChoice {
  return {
    gameDirectory: settings.GAME_DIR,
    languages: settings.PLATFORM_KEEP_LANGUAGES.kept,
    keepFiles: settings.PLATFORM_KEEP_FILES,
    skipSdk: choice.skipSdk === true || settings.PLATFORM_SKIP_SDK,
    verify: choice.verify === true,
    anew: choice.anew === true,
  };
}
