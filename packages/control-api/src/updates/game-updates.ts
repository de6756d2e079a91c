import { type Clock, pause } from '@steward/service-kit/clock';
import type { GameUpdated } from '@steward/shared/api/answers/operations';
import type { DrainWhen } from '@steward/shared/drain';
import { Problem } from '@steward/shared/problems/problem';
import { shuttingDown } from '@steward/shared/problems/shutting-down';
import { troubleText } from '@steward/shared/problems/trouble';
import type { DownloadAnswer, GameBuild, GameStaging } from '@steward/shared/sidecar/download';
import type { SessionStateName } from '@steward/shared/sidecar/health';
import { comesToPass } from '../game/awaited.ts';
import type { GameBridge } from '../game/game-bridge.ts';
import type { CommandResult, Ending } from '../game/operations/operation.ts';
import { isConnected } from '../game/state/bridge-state.ts';
import type { SidecarClient } from '../sidecar/sidecar-client.ts';
import type { SidecarAnswer, SidecarRefusal } from '../sidecar/sidecar-request.ts';

export const updateLimits = {
  /** How often the sidecar is asked how far it is. */
  lookMs: 2_000,
  /** As long as the platform has it wait after too many logins, with its turn among many farms; meanwhile people play. */
  sessionMs: 60 * 60 * 1_000,
  /** A whole game over a line on which nothing else would go any more. */
  stagingMs: 12 * 60 * 60 * 1_000,
  /** A sidecar that is restarted is back by then; while the game is away nobody waits for longer. */
  awayMs: 60_000,
  /** A game that is started loads for a while. */
  backMs: 180_000,
} as const;

/** In every other state the sidecar logs in by itself. */
const lastingStates: readonly SessionStateName[] = ['logged-in', 'no-account', 'credentials-refused'];

/** How players are seen off before. */
export interface UpdateOrder {
  readonly when?: DrainWhen;
  readonly minutes?: number;
  readonly seconds?: number;
  readonly message?: string;
}

type Step = (step: string) => Promise<void>;

/** What was done while the game was away. */
interface Done {
  readonly isSaved: boolean;
  readonly backupId: string | undefined;
}

export interface GameUpdatesParts {
  readonly bridge: Pick<GameBridge, 'state' | 'follow' | 'operations' | 'startsGame'>;
  readonly sidecar: Pick<SidecarClient, 'health' | 'download' | 'lookForBuild' | 'publishBuild'> | undefined;
  /** Sees players off, and does the work while the game is away; then it comes back, however that ended. */
  readonly closedWhile: <Result>(
    asked: UpdateOrder & {
      readonly when: DrainWhen;
      readonly operationId: string;
      readonly step: Step;
      readonly stopsGame: true;
    },
    work: (isSaved: boolean, begins: () => void) => Promise<Result>,
  ) => Promise<Result>;
  readonly backups: {
    readonly isOn: boolean;
    inTurn<Result>(what: string, work: () => Promise<Result>): Promise<Result>;
    make(backup: { readonly why: 'before-update' }, operationId: string): Promise<{ readonly id: string }>;
  };
  readonly clock: Pick<Clock, 'after' | 'now'>;
}

/**
 * A newer build of the game: staged by the sidecar while people play, and put in place while the game is away. What is begun here
 * ends with this process, which has the game away for no longer; the files change all at once, whoever is killed.
 */
export class GameUpdates {
  readonly #parts: GameUpdatesParts;
  readonly #stopping = new AbortController();

  constructor(parts: GameUpdatesParts) {
    this.#parts = parts;
  }

  /** What an earlier process began has ended with it, but for what the sidecar was told: `game` of its `GET /download` tells. */
  load(): void {
    const why =
      'the control API was restarted before the newer build was installed: the game runs the old build';
    const cutOff =
      "the control API was restarted while the newer build was installed: the sidecar's GET /download shows which build is there";
    this.#parts.bridge.operations.decide(['updateGame'], ({ step }) => {
      if (step === 'publishing') return { state: 'unknown', why: cutOff, forGood: true };
      // By then it was installed.
      if (step === 'starting') return applied({ isUpdated: true, isBack: false });
      return { state: 'void', why };
    });
  }

  /** Throws the Problem that says why there can be none here. */
  demand(): void {
    const { bridge, sidecar } = this.#parts;
    const { selfHosted, link, game } = bridge.state;
    if (selfHosted !== undefined)
      throw new Problem('not-supported-by-game', `${selfHosted.name} has its own files: update it yourself`);
    if (sidecar === undefined) throw noSidecar();
    if (!bridge.startsGame && isConnected(link.status) && game?.capabilities.includes('stop') !== true)
      throw new Problem(
        'not-supported-by-game',
        'Steward did not start this game and cannot ask it to stop: stop it where it was started, and run `platform-auth download`',
      );
  }

  run(order: UpdateOrder, idempotencyKey: string | undefined): Promise<CommandResult> {
    const request = { name: 'updateGame', order };
    return this.#parts.bridge.operations.carryOut(
      { name: 'updateGame', request, idempotencyKey },
      ({ id }, step) => this.#update(order, id, step).catch((error: unknown) => endingOf(error)),
      { answersBegun: true },
    );
  }

  /** What waits is given up; what the sidecar does it ends by itself. */
  stop(): void {
    this.#stopping.abort(
      shuttingDown('The server is stopping: the game was not updated, and nothing was changed'),
    );
  }

  async #update(order: UpdateOrder, operationId: string, step: Step): Promise<Ending> {
    const { closedWhile } = this.#parts;
    this.demand();
    await step('looking');
    const build = await this.#staged();
    if (build === undefined) return applied({ isUpdated: false });
    const { when = 'day-end', message = 'the game is updated', ...more } = order;
    const seenOff = { when, message, ...more, operationId, step, stopsGame: true } as const;
    const { isSaved, backupId } = await closedWhile(seenOff, async (hasSaved, begins): Promise<Done> => {
      const made = await this.#backUp(operationId, step);
      this.#stopping.signal.throwIfAborted();
      begins();
      await step('publishing');
      await this.#publish(build);
      return { isSaved: hasSaved, backupId: made };
    });
    await step('starting');
    const isBack = await this.#comesBack();
    return applied({ isUpdated: true, isSaved, isBack, ...(backupId === undefined ? {} : { backupId }) });
  }

  /** What the sidecar has staged; undefined where the platform has nothing newer. */
  async #staged(): Promise<GameBuild | undefined> {
    const { clock } = this.#parts;
    await this.#sessionComes();
    const begun = await this.#sidecar.lookForBuild();
    const until = clock.now() + updateLimits.stagingMs;
    for (let isFirst = true; clock.now() < until; isFirst = false) {
      const staging = (await this.#look()).staging;
      // One that was begun before, and that somebody was killed over, is as good.
      if (isFirst && !begun.ok && staging?.state !== 'under-way') throw refused(begun.refusal);
      if (staging === undefined)
        throw notDone('The sidecar was restarted and has lost the request. Try again');
      if (staging.state === 'nothing-new') return undefined;
      if (staging.state === 'staged') return staging.build;
      if (staging.state === 'failed') throw notStaged(staging);
      await this.#pause();
    }
    throw notDone(
      `The newer build was not downloaded within ${updateLimits.stagingMs / 3_600_000} hours: the sidecar continues`,
    );
  }

  /** Without a session it cannot look, and the next time may be a week away: one that comes by itself is waited for. */
  async #sessionComes(): Promise<void> {
    const { clock } = this.#parts;
    const until = clock.now() + updateLimits.sessionMs;
    for (;;) {
      const { state, reason } = (await this.#heard(() => this.#sidecar.health())).session;
      if (lastingStates.includes(state)) return;
      // Its remedy, often that there is nothing to do, is not that of the update.
      if (clock.now() >= until)
        throw notDone(`${reason}. The update waited ${updateLimits.sessionMs / 60_000} minutes for a login`);
      await this.#pause();
    }
  }

  /** How the sidecar's files are; throws where it does not say so for a while. */
  #look(isAwaited?: (answer: DownloadAnswer) => boolean): Promise<DownloadAnswer> {
    return this.#heard(() => this.#sidecar.download(), isAwaited);
  }

  /** What the sidecar answers; throws where it does not for a while. */
  async #heard<Answer>(
    ask: () => Promise<SidecarAnswer<Answer>>,
    isAwaited: (answer: Answer) => boolean = () => true,
  ): Promise<Answer> {
    const { clock } = this.#parts;
    const until = clock.now() + updateLimits.awayMs;
    for (;;) {
      const answer = await ask();
      this.#stopping.signal.throwIfAborted();
      if (answer.ok && isAwaited(answer.value)) return answer.value;
      if (clock.now() >= until)
        throw answer.ok
          ? notDone('Somebody else has asked the sidecar for a newer build, and the sidecar is not done')
          : refused(answer.refusal);
      await this.#pause();
    }
  }

  /** Throws the Problem that says why it is not in place, or that nobody can tell. */
  async #publish(build: GameBuild): Promise<void> {
    // What is staged stays while somebody else has it look again.
    const before = await this.#look(({ staging }) => staging?.state !== 'under-way');
    if (isThere(before, build)) return;
    const { staging } = before;
    if (staging?.state === 'failed') throw notStaged(staging);
    if (staging?.state !== 'staged')
      throw notDone('The staged build is gone: something else has changed GAME_DIR');
    const answer = await this.#sidecar.publishBuild();
    if (answer.ok) return;
    // It may have been done, or be done now, and the answer be lost.
    const after = await this.#look(({ state }) => state === 'whole').catch(() => undefined);
    if (after === undefined)
      throw new Problem(
        'outcome-unknown',
        `The sidecar was told to install the newer build, and has not said whether it did: GET /download of the sidecar tells. ${answer.refusal.reason}`,
      );
    if (!isThere(after, build)) throw refused(answer.refusal);
  }

  /** The way back. Without anything to go back to, and where nobody wants backups, there is none. */
  async #backUp(operationId: string, step: Step): Promise<string | undefined> {
    const { backups } = this.#parts;
    if (!backups.isOn) return undefined;
    await step('backing-up');
    const make = () => backups.make({ why: 'before-update' }, operationId);
    try {
      return (await backups.inTurn('the game is being updated', make)).id;
    } catch (error) {
      if (error instanceof Problem && error.code === 'no-save') return undefined;
      throw error;
    }
  }

  /** The newer build is installed by then, whatever this service goes on to do. */
  async #comesBack(): Promise<boolean> {
    const { bridge, clock } = this.#parts;
    const isBack = () => bridge.state.link.status === 'live' && bridge.state.isWhole;
    const follow = (changed: () => void) => bridge.follow(changed);
    const { signal } = this.#stopping;
    try {
      return await comesToPass(isBack, updateLimits.backMs, { clock, follow, signal });
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  async #pause(): Promise<void> {
    const { signal } = this.#stopping;
    await pause(updateLimits.lookMs, this.#parts.clock, signal);
    signal.throwIfAborted();
  }

  get #sidecar(): NonNullable<GameUpdatesParts['sidecar']> {
    const { sidecar } = this.#parts;
    if (sidecar === undefined) throw noSidecar();
    return sidecar;
  }
}

function noSidecar(): Problem {
  return new Problem(
    'no-sidecar',
    'PLATFORM_AUTH_URL is not set: the sidecar finds and installs newer builds',
  );
}

function isThere({ state, game }: DownloadAnswer, build: GameBuild): boolean {
  return state === 'whole' && JSON.stringify(game) === JSON.stringify(build);
}

function applied(after: GameUpdated): Ending {
  return { state: 'applied', outcome: { outcome: 'applied', before: {}, after: { ...after } } };
}

/** Where it may have been done the same request is not to be carried out again. */
function endingOf(error: unknown): Ending {
  if (!(error instanceof Problem) || error.code !== 'outcome-unknown') throw error;
  return { state: 'unknown', why: error.message, forGood: true };
}

function notStaged({ reason = 'The sidecar does not say why', remedy }: GameStaging): Problem {
  return notDone(troubleText({ reason, remedy }));
}

function refused({ reason, remedy }: SidecarRefusal): Problem {
  return notDone(troubleText({ reason, remedy }));
}

function notDone(why: string): Problem {
  return new Problem('platform-unavailable', why);
}
