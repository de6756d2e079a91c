import { hangingLines } from '@steward/service-kit/text/layout';
import { unknownLanguageWarning } from '../download/filter/languages.ts';
import { Places } from '../download/names/places.ts';
import { ContentError, DownloadProblem, type ProblemKind } from '../download/problems/problem.ts';
import { planAnswer } from '../download/progress/download-answer.ts';
import { Progress } from '../download/progress/progress.ts';
import { ProgressDisplay } from '../download/progress/progress-display.ts';
import {
  planText,
  stageNames,
  summaryText,
  whenMoving,
  whenStopped,
} from '../download/progress/progress-text.ts';
import { downloadGame, planGame } from '../download/run/compose-download.ts';
import { holdDirectory, type Unbroken } from '../download/run/interrupted.ts';
import type { Failure } from '../platform/failure.ts';
import type { Login } from '../session/login.ts';
import { CommandFailure } from './run/command-failure.ts';
import type { ExitCodeName } from './run/exit-codes.ts';
import { logInOnce, logInPatiently } from './run/log-in-once.ts';
import { type CommandContext, runCommand } from './run/run-command.ts';
import { sizeOf } from './run/screen.ts';
import { SessionKeeper } from './run/session-keeper.ts';

/** Downloads, updates, checks or only plans, with the session that the environment or SESSION_DIR holds. */
export function downloadCommand(flags: ReadonlySet<string>): Promise<number> {
  return runCommand('download', async (context) => {
    const held = flags.has('plan') ? undefined : await holdGameDirectory(context, 'download');
    const login = await logInPatiently(context);
    await downloadWith(login, context, 'download', flags, held);
  });
}

/** What needs no platform comes before a login is spent: who else downloads, and what an interrupted run has left to do. */
export async function holdGameDirectory(context: CommandContext, command: string): Promise<AsyncDisposable> {
  const { configuration, clock, say } = context;
  const recovering = (): void => say(stageNames.recovering);
  try {
    return await holdDirectory(new Places(configuration.GAME_DIR), {
      now: () => clock.date(),
      command,
      recovering,
      unbroken: movedWhole(context, whenMoving.recovered),
    });
  } catch (error) {
    throw downloadFailure(error);
  }
}

/** Files that are being moved are moved to the last one, whatever interrupts the command: seconds, in which no game can start. */
function movedWhole({ interruption, say }: CommandContext, done: string): Unbroken {
  const begins = (): void => say(whenMoving.begins);
  const { signal } = interruption;
  return (work) =>
    interruption.whole(async () => {
      signal.addEventListener('abort', begins, { once: true });
      interruption.aftermath = whenMoving.failed;
      try {
        await work();
        interruption.aftermath = done;
      } finally {
        signal.removeEventListener('abort', begins);
      }
    });
}

/** Also closes the session, or the one that took its place, and gives GAME_DIR back. */
export async function downloadWith(
  login: Login,
  context: CommandContext,
  command: string,
  flags: ReadonlySet<string>,
  held?: AsyncDisposable,
): Promise<void> {
  const { configuration: settings, interruption, clock, say } = context;
  for (const code of settings.PLATFORM_KEEP_LANGUAGES.unknown) say(unknownLanguageWarning(code));
  const refused = new Map<string, Failure>();
  const logIn = () => logInOnce(context, refused);
  const keeper = new SessionKeeper(login, { logIn, clock, random: Math.random });
  const display: ProgressDisplay = new ProgressDisplay({
    screen: process.stderr,
    isDumb: process.env['TERM'] === 'dumb',
    clock,
    snapshot: () => progress.snapshot,
    // A plan that is all that was asked for goes to stdout instead.
    showsPlan: !flags.has('plan'),
  });
  const progress = new Progress(clock, display);
  const choice = {
    skipSdk: flags.has('skip-sdk'),
    verify: flags.has('verify'),
    again: settings.FORCE_REDOWNLOAD === '1',
  };
  const { signal } = interruption;
  const session = () => keeper.session;
  const unbroken = movedWhole(context, whenMoving.done);
  const parts = { settings, events: progress, signal, clock, command, choice, held, unbroken };
  interruption.aftermath = whenStopped;
  signal.addEventListener('abort', () => display.stop(), { once: true });
  display.start();
  try {
    if (flags.has('plan')) {
      const figures = await planGame(session, parts);
      display.stop();
      const lines = flags.has('json')
        ? [JSON.stringify(planAnswer(figures))]
        : planText(figures, true).flatMap(fitted);
      process.stdout.write(`${lines.join('\n')}\n`);
    } else {
      const summary = await downloadGame(session, parts);
      signal.throwIfAborted();
      display.stop();
      display.summary(summaryText(summary, progress.snapshot, settings.GAME_DIR));
    }
  } catch (error) {
    throw downloadFailure(error);
  } finally {
    display.stop();
    await keeper.close();
  }
}

/** A person's terminal gets lines that fit; a pipe each line whole. */
function fitted(line: string): string[] {
  const { stdout } = process;
  return stdout.isTTY ? hangingLines(line, sizeOf(stdout).columns) : [line];
}

const ofProblem: Readonly<Record<ProblemKind, ExitCodeName>> = {
  disk: 'disk',
  content: 'failure',
  held: 'failure',
  machine: 'failure',
};

const ofContent: Readonly<Record<ContentError['problem'], ExitCodeName>> = {
  'not-owned': 'not-owned',
  'no-such-branch': 'failure',
  'nothing-for-this-system': 'failure',
  'malformed-manifest': 'failure',
  unavailable: 'network',
};

/** What a download met, as a command ends with it; anything else comes back as it is. */
function downloadFailure(error: unknown): unknown {
  if (!(error instanceof DownloadProblem)) return error;
  const how = error instanceof ContentError ? ofContent[error.problem] : ofProblem[error.kind];
  return new CommandFailure(how, error.message);
}
