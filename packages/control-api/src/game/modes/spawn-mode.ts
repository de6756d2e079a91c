import { access } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { Backoff, type BackoffSettings, type Clock, type Timer } from '@steward/service-kit/clock';
import type { Log } from '@steward/service-kit/log/logger';
import { bridgeTiming } from '@steward/shared/bridge/protocol';
import { GameOutput } from './game-output.ts';
import { type GameProcess, lastOutputMs, type StartProcess } from './game-process.ts';
import type { BridgeMode, GameStream, ModeEvents } from './mode.ts';

export const spawnLimits = {
  helloMs: bridgeTiming.firstHello,
  /** Between SIGTERM and SIGKILL. */
  terminateMs: 5_000,
  /** A marker is looked for this often. */
  markerMs: 2_000,
} as const;

const bringFiles = 'Let the download finish; for a game that brings its own files, set GAME_MARKER= (empty)';

/** Between the end of a game that is started here and its next start. */
export const restartBackoff: BackoffSettings = {
  firstMs: 1_000,
  factor: 2,
  longestMs: 60_000,
  steadyMs: 60_000,
};

export interface SpawnParts {
  readonly command: readonly string[];
  /** The file that has to be there before the game is started: `GAME_MARKER`. */
  readonly marker?: string;
  /** How long the game may take to save and exit when it is asked to: `GAME_STOP_TIMEOUT`. */
  readonly stopMs: number;
  readonly backoff: BackoffSettings;
  readonly random: () => number;
  readonly startProcess: StartProcess;
  readonly clock: Clock;
  /** Of the pauses between two starts. */
  readonly retryClock: Clock;
  readonly log: Log;
}

interface Run {
  readonly game: GameProcess;
  readonly startedAt: number;
  readonly exit: PromiseWithResolvers<void>;
  ended: boolean;
  /** Resolves when it was asked to go, and is gone with its last words. */
  leaving?: Promise<void>;
}

/** The game is started here, started again when it ends, and stopped with the service. */
export class SpawnMode implements BridgeMode {
  readonly initial = { status: 'starting', why: 'the game is being started' } as const;
  readonly afterLoss = 'restarting';
  readonly output: GameOutput;
  readonly #parts: SpawnParts;
  readonly #backoff: Backoff;
  #events: ModeEvents | undefined;
  #run: Run | undefined;
  #restart: Timer | undefined;
  #stopping = false;
  #isHeld = false;

  constructor(parts: SpawnParts) {
    this.#parts = parts;
    this.output = new GameOutput(parts.clock);
    this.#backoff = new Backoff(parts.backoff, parts.random);
  }

  async start(events: ModeEvents): Promise<void> {
    this.#events = events;
    await this.#startGame();
  }

  /** Asks the game to save and exit and waits; then SIGTERM, then SIGKILL. */
  async stop(askToStop: () => Promise<void>): Promise<void> {
    this.#stopping = true;
    await this.#away(askToStop);
  }

  async hold(askToStop: () => Promise<void>): Promise<void> {
    this.#isHeld = true;
    await this.#away(askToStop);
  }

  giveBack(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    void this.#startGame();
  }

  async #away(askToStop: () => Promise<void>): Promise<void> {
    this.#restart?.cancel();
    const run = this.#run;
    if (run === undefined || run.ended) return;
    run.leaving ??= this.#leave(run, askToStop);
    await run.leaving;
  }

  async #leave(run: Run, askToStop: () => Promise<void>): Promise<void> {
    const { clock, log, stopMs } = this.#parts;
    const timers = [
      clock.after(stopMs, () => {
        log.warn({}, `the game has not exited ${stopMs} ms after it was asked to: SIGTERM`);
        run.game.kill('SIGTERM');
      }),
      clock.after(stopMs + spawnLimits.terminateMs, () => {
        log.warn({}, `the game is still running ${spawnLimits.terminateMs} ms after SIGTERM: SIGKILL`);
        run.game.kill('SIGKILL');
      }),
    ];
    // The end of its input tells a game that knows no `stop` to go; one that is still saving reads it afterwards.
    askToStop().then(
      () => run.game.stdin.end(),
      () => run.game.stdin.end(),
    );
    await run.exit.promise;
    for (const timer of timers) timer.cancel();
    // What it said last counts: it has just saved.
    await closed(run.game.stdout);
  }

  /** For whoever needs to look at the process itself. */
  get pid(): number | undefined {
    return this.#run?.ended === false ? this.#run.game.pid : undefined;
  }

  /** A game that is started while its files are being put in their places finds half of an old version and half of a new one. */
  async #launchOnce(marker: string, wasSaid = false): Promise<void> {
    const isThere = await access(marker).then(
      () => true,
      () => false,
    );
    if (!this.#mayStart) return;
    if (isThere) {
      this.#launch();
      return;
    }
    if (!wasSaid) {
      const why = `the game starts when its files are complete: ${marker} does not exist yet (GAME_MARKER)`;
      this.#parts.log.info({}, why);
      this.#events?.report('waiting', why, bringFiles);
    }
    this.#restart = this.#parts.clock.after(spawnLimits.markerMs, () => void this.#launchOnce(marker, true));
  }

  #launch(): void {
    const { command, log, startProcess, retryClock } = this.#parts;
    const startedAt = retryClock.now();
    this.output.began();
    const game = startProcess(command, {
      exited: (how) => this.#exited(run, how),
      errorLine: (line) => this.#said('stderr', line),
    });
    const run: Run = { game, startedAt, exit: Promise.withResolvers<void>(), ended: false };
    this.#run = run;
    log.info({ gamePid: game.pid }, 'the game was started');
    this.#events?.report('starting', this.initial.why);
    game.stdin.on('error', () => {});
    this.#events?.stream(this.#streamOf(run));
  }

  #streamOf(run: Run): GameStream {
    const { game } = run;
    return {
      input: game.stdout,
      output: game.stdin,
      close: () => this.#closed(run),
      from: `process ${game.pid}`,
      helloMs: spawnLimits.helloMs,
      strayLine: (line) => this.#said('stdout', line),
    };
  }

  #said(stream: 'stdout' | 'stderr', line: string): void {
    this.#parts.log.info({ stream }, line);
    this.output.said(stream, line);
  }

  /** The bridge has given the stream up: a game that cannot be spoken to is of no use. */
  #closed(run: Run): void {
    if (run.ended || run.leaving !== undefined) return;
    run.game.stdin.end();
    run.game.kill('SIGTERM');
    const timer = this.#parts.clock.after(spawnLimits.terminateMs, () => run.game.kill('SIGKILL'));
    void run.exit.promise.then(() => timer.cancel());
  }

  #exited(run: Run, how: string): void {
    if (run.ended) return;
    run.ended = true;
    run.exit.resolve();
    const { clock, retryClock, log } = this.#parts;
    // Its last words may still be in the pipe; what else holds the pipe must not hold up the restart.
    clock.after(lastOutputMs, () => cutOff(run.game));
    if (run.leaving !== undefined) {
      log.info({}, `the game has ended: ${how}`);
      // It may have been given back before it was gone; that the next one starts is said after the end of this one's stream.
      void closed(run.game.stdout).then(() => this.#startGame());
      return;
    }
    const pauseMs = this.#backoff.pause(retryClock.now() - run.startedAt);
    log.warn({ pauseMs }, `the game has ended: ${how}; it starts again in ${pauseMs} ms`);
    // After the stream's own end, so that this is what is said last of this run.
    const why = `the game has ended: ${how}; it starts again in ${pauseMs} ms`;
    // A command that is no program will be none the next time.
    const remedy = run.game.pid === undefined ? 'Fix GAME_COMMAND, and restart this service' : undefined;
    const silence = Promise.all([closed(run.game.stdout), closed(run.game.stderr)]);
    const said = silence.then(() => this.#events?.report('restarting', why, remedy));
    this.#restart = retryClock.after(pauseMs, () => {
      cutOff(run.game);
      void said.then(() => this.#startGame());
    });
  }

  /** Before the service has started there is nobody to tell of a game. */
  get #mayStart(): boolean {
    return this.#events !== undefined && !this.#stopping && !this.#isHeld && this.#run?.ended !== false;
  }

  async #startGame(): Promise<void> {
    if (!this.#mayStart) return;
    const { marker } = this.#parts;
    if (marker === undefined) this.#launch();
    else await this.#launchOnce(marker);
  }
}

function cutOff({ stdout, stderr }: GameProcess): void {
  stdout.destroy();
  stderr.destroy();
}

function closed(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) resolve();
    else stream.once('close', resolve);
  });
}
