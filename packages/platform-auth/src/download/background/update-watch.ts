import type { Clock, Timer } from '@steward/service-kit/clock';
import type { GameUpdate } from '@steward/shared/sidecar/download';
import { timestampOf } from '@steward/shared/wire-values';
import { PlatformFailure } from '../../platform/failure.ts';
import type { PlatformSession } from '../../platform/platform-session.ts';
import { chooseDepots } from '../catalogue/depot-choice.ts';
import { readAppContent } from '../catalogue/product-info.ts';
import { whoHolds } from '../disk/lock.ts';
import { parseKeptLanguages } from '../filter/languages.ts';
import { type Marker, type PublishedApp, readMarker } from '../kept/marker.ts';
import type { Places } from '../names/places.ts';
import { whyOf } from './why-missing.ts';

const checkEveryMs = 3_600_000;
/** Of that, so that the services of the world do not ask together. */
const spread = 0.25;
/** The first check comes some time after the login, for the same reason. */
const firstWithinMs = 600_000;

export interface UpdateWatchParts {
  readonly places: Places;
  readonly branch: string;
  /** Whether this service may bring files at all. */
  readonly isOn: boolean;
  readonly session: () => PlatformSession | undefined;
  /** Whether this service downloads just now. */
  readonly isDownloading: () => boolean;
  readonly clock: Clock;
  readonly random: () => number;
  /** Told when the state is another. */
  readonly changed: (update: GameUpdate) => void;
}

/** Asks the platform now and then, on the session that there is, whether it has another build than GAME_DIR. Downloads nothing. */
export class UpdateWatch {
  readonly #parts: UpdateWatchParts;
  /** Since when it has not been known, and why. */
  #unknown: { readonly since: Date; readonly reason: string } | undefined;
  #latest: { readonly apps: readonly PublishedApp[]; readonly at: Date } | undefined;
  #last: GameUpdate | undefined;
  #next: Timer | undefined;
  #stopped = false;

  constructor(parts: UpdateWatchParts) {
    this.#parts = parts;
    this.#unknown = { since: parts.clock.date(), reason: 'The platform has not been asked yet' };
  }

  /** As it was known last; undefined while the files are not whole. */
  get last(): GameUpdate | undefined {
    return this.#last;
  }

  loggedIn(): void {
    this.#next ??= this.#parts.clock.after(this.#parts.random() * firstWithinMs, () => void this.#check());
  }

  stop(): void {
    this.#stopped = true;
    this.#next?.cancel();
  }

  /** What is known, beside the files that are there now. */
  beside(marker: Marker | undefined): GameUpdate | undefined {
    const before = this.#last;
    const after = marker === undefined ? undefined : this.#judge(marker);
    // What was found before stays found since then.
    this.#last =
      after?.state === before?.state && before && after ? { ...after, since: before.since } : after;
    // That nobody has been asked yet is no news.
    const isNews = this.#last?.state !== (before?.state ?? 'unknown');
    if (this.#last !== undefined && isNews) this.#parts.changed(this.#last);
    return this.#last;
  }

  #judge(marker: Marker): GameUpdate {
    const downloadedAt = downloadTime(marker, this.#parts.clock.date());
    const latest = this.#latest;
    const isNewer = latest !== undefined && latest.at > downloadedAt;
    const remedy = this.#parts.isOn ? bringIt : haveItBrought;
    const checked = latest === undefined ? {} : { checked_at: timestampOf(latest.at) };
    if (isNewer && !holds(marker, latest.apps))
      return { state: 'available', since: timestampOf(latest.at), ...checked, reason: isAvailable, remedy };
    const unknown = this.#unknown;
    // A download is as good as a check.
    if (unknown !== undefined && downloadedAt <= unknown.since)
      return { state: 'unknown', since: timestampOf(unknown.since), ...checked, reason: unknown.reason };
    return { state: 'current', since: timestampOf(isNewer ? latest.at : downloadedAt), ...checked };
  }

  async #check(): Promise<void> {
    const { places, clock, random, isDownloading } = this.#parts;
    const marker = await readMarker(places);
    if (marker !== undefined && !isDownloading() && (await whoHolds(places)) === undefined) {
      try {
        this.#latest = { apps: await this.#ask(marker), at: clock.date() };
        this.#unknown = undefined;
      } catch (error) {
        this.#unknown ??= { since: clock.date(), reason: whyOf(error).reason };
      }
    }
    this.beside(await readMarker(places));
    if (this.#stopped) return;
    const ms = checkEveryMs * (1 + spread * random());
    this.#next = clock.after(ms, () => void this.#check());
  }

  async #ask({ apps, languages }: Marker): Promise<readonly PublishedApp[]> {
    const { session, branch } = this.#parts;
    const choice = { branch, languages: parseKeptLanguages(languages.join(',')).kept };
    const found: PublishedApp[] = [];
    for (const { appId } of apps) {
      const content = session()?.content;
      if (content === undefined)
        throw new PlatformFailure({ class: 'transient', reason: 'There is no platform session' });
      const info = readAppContent(appId, await content.productInfo(appId));
      found.push({ appId, depots: [...chooseDepots(appId, info, choice)] });
    }
    return found;
  }
}

const isAvailable = 'The platform has another build of the game than GAME_DIR';
const bringIt = 'Stop the game, run `platform-auth download`, and start the game';
const haveItBrought =
  'PLATFORM_DOWNLOAD is off. Stop each game that uses these files, let the service that downloads them do so, and start the games';

/** What a clock wrote that was ahead of this one says nothing: it may be long ago, and the platform has to be believed. */
function downloadTime({ downloadedAt }: Marker, now: Date): Date {
  const told = new Date(downloadedAt);
  return told > now ? new Date(0) : told;
}

/** Whether every depot is there in the version that the platform has now. */
function holds(marker: Marker, apps: readonly PublishedApp[]): boolean {
  const there = new Map(
    marker.apps.flatMap(({ depots }) => depots.map((depot) => [depot.depotId, depot.manifestId])),
  );
  return apps.every(({ depots }) =>
    depots.every(({ depotId, manifestId }) => there.get(depotId) === manifestId),
  );
}
