import type { MendableTrouble } from '@steward/shared/problems/trouble';
import { type Failure, PlatformFailure } from '../../platform/failure.ts';
import { parseNoProxy } from '../../platform/no-proxy.ts';
import type { ContentDirectory } from '../../platform/platform-session.ts';
import { type ProxySettings, parseProxy, proxyVariable } from '../../platform/proxy.ts';
import { DownloadProblem, type ProblemKind } from '../problems/problem.ts';
import type { DownloadEvents, DownloadSummary } from '../progress/progress.ts';
import type { DownloadSettings } from '../run/compose-download.ts';

/** What a download in a process of its own is to do. */
export interface Task {
  readonly command: string;
  /** Who answers for it: the process that started it. */
  readonly pid: number;
  readonly settings: PlainSettings;
  /** What is new stays in the stage. */
  readonly stagesOnly: boolean;
}

/** The settings as data; the one proxy that counts is among them, and what is reached without it. */
type PlainSettings = Omit<DownloadSettings, keyof ProxySettings> & {
  readonly proxy: string | undefined;
  readonly noProxy: string;
};

export function toPlain(settings: DownloadSettings): PlainSettings {
  const { GAME_DIR, PLATFORM_BRANCH, PLATFORM_KEEP_LANGUAGES, PLATFORM_KEEP_FILES, PLATFORM_SKIP_SDK } =
    settings;
  const variable = proxyVariable(settings);
  return {
    GAME_DIR,
    PLATFORM_BRANCH,
    PLATFORM_KEEP_LANGUAGES,
    PLATFORM_KEEP_FILES,
    PLATFORM_SKIP_SDK,
    proxy: variable && settings[variable]?.url.reveal(),
    noProxy: settings.NO_PROXY.text,
  };
}

export function fromPlain({ proxy, noProxy, ...rest }: PlainSettings): DownloadSettings {
  const parsed = proxy === undefined ? undefined : parseProxy(proxy);
  return {
    ...rest,
    PLATFORM_PROXY: parsed?.ok === true ? parsed.value : undefined,
    HTTPS_PROXY: undefined,
    ALL_PROXY: undefined,
    NO_PROXY: parseNoProxy(noProxy),
  };
}

/** A question to the platform, which only the service's session can ask. */
export type Question = {
  readonly [Method in keyof ContentDirectory]: {
    readonly method: Method;
    readonly args: Parameters<ContentDirectory[Method]>;
  };
}[keyof ContentDirectory];

/** Something that a download told, and of whom. */
export type DownloadNews = {
  readonly [Event in keyof DownloadEvents]: readonly [Event, ...Parameters<DownloadEvents[Event]>];
}[keyof DownloadEvents];

export type ToWorker =
  | { readonly kind: 'begin'; readonly task: Task }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'no-answer'; readonly id: number; readonly why: Sent }
  | { readonly kind: 'stop' };

export type FromWorker =
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'news'; readonly events: readonly DownloadNews[] }
  | { readonly kind: 'done'; readonly summary: DownloadSummary }
  | { readonly kind: 'failed'; readonly why: Sent };

/** What was thrown in one process, for the other. */
export type Sent =
  | { readonly as: 'platform'; readonly failure: Failure }
  | ({ readonly as: 'problem'; readonly kind: ProblemKind } & MendableTrouble)
  | { readonly as: 'unforeseen'; readonly text: string };

export function toSend(error: unknown): Sent {
  if (error instanceof PlatformFailure) return { as: 'platform', failure: error.failure };
  if (error instanceof DownloadProblem) {
    const { kind, reason, remedy } = error;
    return { as: 'problem', kind, reason, remedy };
  }
  return { as: 'unforeseen', text: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

export function asThrown(sent: Sent): Error {
  switch (sent.as) {
    case 'platform':
      return new PlatformFailure(sent.failure);
    case 'problem':
      return new DownloadProblem(sent.kind, sent.reason, sent.remedy);
    case 'unforeseen':
      return Object.assign(new Error('in the process that downloads'), { stack: sent.text });
  }
}
