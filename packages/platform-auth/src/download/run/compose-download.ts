import { type Clock, systemClock } from '@steward/service-kit/clock';
import type { ContentDirectory, PlatformSession } from '../../platform/platform-session.ts';
import { chooseProxies, type ProxySettings } from '../../platform/proxy.ts';
import { patientDirectory } from '../catalogue/patient-directory.ts';
import { openPlatformContent } from '../catalogue/platform-content.ts';
import type { KeptLanguages } from '../filter/languages.ts';
import type { PlanFigures } from '../plan/plan.ts';
import type { DownloadEvents, DownloadSummary } from '../progress/progress.ts';
import { type DownloadChoice, downloadTree, planDownload } from './download.ts';
import type { Unbroken } from './interrupted.ts';

export interface DownloadSettings extends ProxySettings {
  readonly GAME_DIR: string;
  readonly PLATFORM_BRANCH: string;
  readonly PLATFORM_KEEP_LANGUAGES: KeptLanguages;
  readonly PLATFORM_KEEP_FILES: readonly string[];
  readonly PLATFORM_SKIP_SDK: boolean;
}

export interface GameDownloadParts {
  readonly settings: DownloadSettings;
  readonly events: DownloadEvents;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly command: string;
  /** The process that answers for it, where it is another. */
  readonly pid?: number;
  /** GAME_DIR, where this run holds it already; given back at the end. */
  readonly held?: AsyncDisposable | undefined;
  readonly unbroken?: Unbroken;
  readonly choice?: Partial<
    Pick<DownloadChoice, 'skipSdk' | 'verify' | 'again' | 'stagesOnly' | 'onlyIfMissing'>
  >;
}

/** Asked anew for every question: one may end and another begin meanwhile. */
type SessionNow = () => PlatformSession | undefined;

/** Brings the game from the platform to GAME_DIR. */
export function downloadGame(session: SessionNow, parts: GameDownloadParts): Promise<DownloadSummary> {
  return downloadFrom(patientDirectory(session, systemClock, parts.signal), parts);
}

/** The same where the session is another's. */
export async function downloadFrom(
  directory: ContentDirectory,
  parts: GameDownloadParts,
): Promise<DownloadSummary> {
  await using content = contentFor(directory, parts);
  const { events, signal, clock, command, pid, held, unbroken } = parts;
  const now = (): Date => clock.date();
  return await downloadTree(choiceOf(parts), {
    ...content,
    events,
    signal,
    now,
    command,
    pid,
    held,
    unbroken,
  });
}

export async function planGame(session: SessionNow, parts: GameDownloadParts): Promise<PlanFigures> {
  const { events, signal } = parts;
  await using content = contentFor(patientDirectory(session, systemClock, signal), parts);
  return await planDownload(choiceOf(parts), { ...content, events, signal });
}

function contentFor(directory: ContentDirectory, { settings, events }: GameDownloadParts) {
  return openPlatformContent({
    directory,
    proxyFor: chooseProxies(settings),
    // What is waited for on the network goes by the true time.
    clock: systemClock,
    branch: settings.PLATFORM_BRANCH,
    languages: settings.PLATFORM_KEEP_LANGUAGES.kept,
    warn: (text) => events.warning(text),
  });
}

function choiceOf({ settings, choice = {} }: GameDownloadParts): DownloadChoice {
  return {
    gameDirectory: settings.GAME_DIR,
    languages: settings.PLATFORM_KEEP_LANGUAGES.kept,
    keepFiles: settings.PLATFORM_KEEP_FILES,
    skipSdk: choice.skipSdk === true || settings.PLATFORM_SKIP_SDK,
    verify: choice.verify === true,
    again: choice.again === true,
    stagesOnly: choice.stagesOnly === true,
    onlyIfMissing: choice.onlyIfMissing === true,
  };
}
