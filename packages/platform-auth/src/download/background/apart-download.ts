import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from '@steward/service-kit/clock';
import { entryUrl } from '../../entries.ts';
import type { ContentDirectory } from '../../platform/platform-session.ts';
import { patientDirectory } from '../catalogue/patient-directory.ts';
import { Places } from '../names/places.ts';
import { DownloadProblem } from '../problems/problem.ts';
import type { DownloadEvents, DownloadSummary } from '../progress/progress.ts';
import type { DownloadSettings } from '../run/compose-download.ts';
import { completeInterrupted } from '../run/interrupted.ts';
import { publishStaged } from '../run/publish-staged.ts';
import type { GameFilesParts } from './game-files.ts';
import type { NewerBuildParts } from './newer-build.ts';
import {
  asThrown,
  type DownloadNews,
  type FromWorker,
  type Question,
  type ToWorker,
  toPlain,
  toSend,
} from './process-messages.ts';

/** Within what the service has for its own stop. A download may end at any moment and goes on from there. */
const stopLimitMs = 5_000;

/** What Node, TLS and the system's libraries read. No variable of ours: the task says all that the process has to know. */
const passedOn = [
  'PATH',
  'LD_LIBRARY_PATH',
  'NODE_OPTIONS',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'TMPDIR',
  'TZ',
];

/**
 * glibc gives freed memory of this size and more back to the system at once, instead of keeping pieces of a megabyte for later; and it has
 * no pool for each thread.
 */
const allocation = {
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '1',
};

/** For the service, which downloads what is missing and leaves the rest to `platform-auth download`. */
export function backgroundDownload(
  settings: DownloadSettings,
  clock: Clock,
): Pick<GameFilesParts, 'places' | 'download' | 'complete'> & Pick<NewerBuildParts, 'stage' | 'publish'> {
  const places = new Places(settings.GAME_DIR);
  const command = 'serve';
  const now = () => clock.date();
  const apart =
    (stagesOnly: boolean): GameFilesParts['download'] =>
    (session, events, signal) => {
      const directory = patientDirectory(session, systemClock, signal);
      return downloadApart({ directory, settings, events, signal, clock: systemClock, command, stagesOnly });
    };
  return {
    places,
    download: apart(false),
    stage: apart(true),
    complete: () => completeInterrupted(places, command, now),
    publish: (signal) => publishStaged(places, { command, now, signal }),
  };
}

export interface ApartDownloadParts {
  /** Answers for the session, which stays here. */
  readonly directory: ContentDirectory;
  readonly settings: DownloadSettings;
  readonly events: DownloadEvents;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'after'>;
  readonly command: string;
  readonly stagesOnly?: boolean;
  readonly entry?: string;
}

/**
 * Downloads in a process of its own: what the decoders and a plan of thousands of files take of memory goes back with it, and it cannot
 * keep the service from answering. It ends with this process, whatever ends that.
 */
export async function downloadApart(parts: ApartDownloadParts): Promise<DownloadSummary> {
  const {
    directory,
    settings,
    events,
    signal,
    clock,
    command,
    stagesOnly = false,
    entry = fileURLToPath(entryUrl('download-worker')),
  } = parts;
  signal.throwIfAborted();
  const child = fork(entry, {
    execArgv: [...process.execArgv, '--min-semi-space-size=1', '--max-semi-space-size=1'],
    env: { ...Object.fromEntries(passedOn.map((name) => [name, process.env[name]])), ...allocation },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const send = (message: ToWorker): void => {
    if (child.connected) child.send(message, () => {});
  };
  let outcome: Extract<FromWorker, { readonly kind: 'done' | 'failed' }> | undefined;
  child.on('message', (message: FromWorker) => {
    if (message.kind === 'news') for (const each of message.events) tell(events, each);
    else if (message.kind === 'ask')
      void answerOf(directory, message.question).then(
        (answer) => send({ kind: 'answer', id: message.id, answer }),
        (error: unknown) => send({ kind: 'no-answer', id: message.id, why: toSend(error) }),
      );
    else outcome = message;
  });
  const stop = (): void => {
    send({ kind: 'stop' });
    const limit = clock.after(stopLimitMs, () => child.kill('SIGKILL'));
    child.once('exit', () => limit.cancel());
  };
  signal.addEventListener('abort', stop, { once: true });
  send({ kind: 'begin', task: { settings: toPlain(settings), command, pid: process.pid, stagesOnly } });
  const ending = await endOf(child);
  signal.removeEventListener('abort', stop);
  if (outcome?.kind === 'done') return outcome.summary;
  signal.throwIfAborted();
  throw outcome === undefined ? endedEarly(ending) : asThrown(outcome.why);
}

/** With what it ended, in a word; all that it has sent is here by then. */
async function endOf(child: ChildProcess): Promise<string> {
  try {
    const [code, signal] = await once(child, 'close');
    return String(signal ?? `exit code ${code}`);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function endedEarly(ending: string): DownloadProblem {
  return new DownloadProblem(
    'machine',
    `The download process ended too early (${ending})`,
    'It continues where it stopped. If this happens again, check whether the machine or the container has enough memory',
  );
}

function tell(events: DownloadEvents, [event, ...about]: DownloadNews): void {
  Reflect.apply(events[event], events, about);
}

function answerOf(directory: ContentDirectory, { method, args }: Question): Promise<unknown> {
  return Reflect.apply(directory[method], directory, args);
}
