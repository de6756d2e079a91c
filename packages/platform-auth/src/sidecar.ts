import { type Clock, systemClock } from '@steward/service-kit/clock';
import type { HttpServer } from '@steward/service-kit/http/http-server';
import type { Logger } from '@steward/service-kit/log/logger';
import { packageVersion } from '@steward/service-kit/process/package-file';
import type { SessionStatus } from '@steward/shared/sidecar/health';
import type { PlatformAuthConfiguration } from './configuration.ts';
import { GameFiles, type GameFilesParts } from './download/background/game-files.ts';
import { gameFilesLog, gameUpdateLog, newerBuildLog } from './download/background/game-files-log.ts';
import { NewerBuild, type NewerBuildParts } from './download/background/newer-build.ts';
import { UpdateWatch } from './download/background/update-watch.ts';
import { buildApp } from './http/app.ts';
import { createMetrics } from './http/metrics.ts';
import { LobbyKeeper } from './lobby/lobby-keeper.ts';
import { Contention } from './platform/contention.ts';
import { ContentionRecord } from './platform/contention-record.ts';
import { failureOf } from './platform/failure.ts';
import { isLibraryLeak, leakFrames } from './platform/library-leak.ts';
import type { AccountToken, Platform } from './platform/platform-session.ts';
import { ConfiguredAccount } from './session/configured-account.ts';
import { logIn } from './session/login.ts';
import { SessionLog } from './session/session-log.ts';
import type { SessionModel } from './session/session-machine.ts';
import { SessionSupervisor } from './session/session-supervisor.ts';
import { sessionStatusOf, sessionWords } from './session/session-words.ts';
import { TokenCare } from './session/token-care.ts';
import { AppTickets } from './tickets/app-tickets.ts';
import { SessionStore } from './tokens/session-store.ts';
import { takeOverSessions } from './tokens/take-over-sessions.ts';

export interface SidecarParts {
  readonly configuration: Pick<
    PlatformAuthConfiguration,
    | 'PLATFORM_USERNAME'
    | 'PLATFORM_PASSWORD'
    | 'PLATFORM_REFRESH_TOKEN'
    | 'PLATFORM_LOGIN_SPREAD'
    | 'INSTANCE_NAME'
    | 'PLATFORM_AUTH_SECRET'
    | 'SESSION_DIR'
    | 'PLATFORM_COMPAT'
    | 'PLATFORM_BRANCH'
    | 'PLATFORM_DOWNLOAD'
  >;
  readonly platform: Platform;
  readonly game: Pick<GameFilesParts, 'places' | 'download' | 'complete'> &
    Pick<NewerBuildParts, 'stage' | 'publish'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** Told after a login, and after a download: what either needed is needed no more. */
  readonly rests: () => void;
}

export interface Sidecar {
  readonly app: HttpServer;
  /** Refuses what only the operator can decide; before anything listens. */
  check(): Promise<void>;
  /** Begins to log in, in the background. */
  start(): Promise<void>;
  /** Answers what is under way, logs off the platform and stops listening. */
  stop(): Promise<void>;
  /** For an error that nobody caught: true when it was the platform libraries', and only the session pays for it. */
  contain(cause: unknown): boolean;
}

/** Puts the parts of the service together; nothing happens before `start`. */
export function composeSidecar(parts: SidecarParts): Sidecar {
  const { configuration, platform, clock, random, logger, rests } = parts;
  const { places, complete, publish } = parts.game;
  const download: GameFilesParts['download'] = (...about) => parts.game.download(...about).finally(rests);
  const stage: NewerBuildParts['stage'] = (...about) => parts.game.stage(...about).finally(rests);
  const log = new SessionLog(logger);
  const store = new SessionStore({
    directory: configuration.SESSION_DIR,
    clock,
    report: log.fileProblem,
    mended: log.fileMended,
  });
  const account = new ConfiguredAccount(configuration, store);
  const status = (): SessionStatus => sessionStatusOf(supervisor, log.warnings, clock);
  const contention = new Contention({
    clock,
    changed: log.contended,
    record: new ContentionRecord(configuration.SESSION_DIR),
  });
  const metrics = createMetrics({
    instance: configuration.INSTANCE_NAME,
    version: packageVersion(import.meta.url),
    sessionStatus: status,
    isContended: () => contention.contended !== undefined,
    gameFiles: () => gameFiles.answer(),
    // A test's clock may be faster, and no disk is.
    clock: systemClock,
  });

  const telling = { save: (session: AccountToken) => store.save(session).then(log.saved) };
  const supervisor = new SessionSupervisor({
    sources: () => account.sources(),
    logIn: (source) => {
      metrics.loginAttempted();
      return logIn(source, { platform, store: telling, notSaved: log.notSaved }).catch(async (error) => {
        // A disk that does not take it costs a failed login at the next start, and nothing now.
        await account.refused(source, failureOf(error)).catch(() => {});
        throw error;
      });
    },
    clock,
    random,
    paceMs: () => account.share * configuration.PLATFORM_LOGIN_SPREAD * 1_000,
    changed,
    tokenSuperseded: () => {
      care.loggedIn();
      log.tokenSuperseded();
      void lookForForeignToken();
    },
  });
  const keeper = new LobbyKeeper({
    session: () => supervisor.session,
    clock,
    contention,
    opened: () => {
      metrics.lobbyOpened();
      log.lobbyOpened();
    },
  });
  const care = new TokenCare({
    login: () => supervisor.login,
    store,
    clock,
    takeUp: (token) => account.takeUp(token),
    renewed: (login) => supervisor.tokenRenewed(login),
    log,
  });
  const tickets = new AppTickets({ clock, counted: metrics.ticketCounted });
  const isOn = configuration.PLATFORM_DOWNLOAD === 'on';
  const updates: UpdateWatch = new UpdateWatch({
    places,
    branch: configuration.PLATFORM_BRANCH,
    isOn,
    session: () => supervisor.session,
    isDownloading: () => gameFiles.isDownloading || newerBuild.isRunning,
    clock,
    random,
    changed: gameUpdateLog(logger),
  });
  const newerBuild: NewerBuild = new NewerBuild({
    places,
    stage,
    publish,
    isOn,
    session: () => supervisor.session,
    sessionTrouble: status,
    completeLater: () => gameFiles.look(),
    clock,
    listener: newerBuildLog(logger, metrics),
  });
  const gameFiles = new GameFiles({
    places,
    download,
    complete,
    isOn,
    update: (marker) => updates.beside(marker),
    staging: (marker) => newerBuild.answer(marker),
    session: () => supervisor.session,
    clock,
    random,
    listener: gameFilesLog(logger, metrics),
  });

  /** A login by hand may have replaced the session that spoke against the token. */
  async function lookForForeignToken(): Promise<void> {
    if (await account.hasForeignToken()) log.foreign();
    else log.notForeign();
  }

  function changed(model: SessionModel): void {
    log.changed(model);
    if (model.state.name === 'logged-in') {
      // Somebody has saved it: a restart finds it.
      if (model.state.source.kind === 'saved-session') log.saved();
      void lookForForeignToken();
      contention.loggedIn(supervisor.session?.platformId ?? '');
      care.loggedIn();
      void keeper.keep();
      gameFiles.loggedIn();
      updates.loggedIn();
      rests();
    }
    if (model.state.name !== 'logged-in') keeper.sessionLost(sessionWords(model).reason);
    if (model.state.name === 'waiting') {
      const { class: failureClass } = model.state.failure;
      metrics.sessionFailed(failureClass);
      if (failureClass === 'replaced') contention.sessionTaken();
      else contention.sessionFailed();
    }
    if (model.state.name === 'credentials-refused') metrics.sessionFailed('dead-credential');
  }

  const app = buildApp({
    secret: configuration.PLATFORM_AUTH_SECRET,
    answersExisting: configuration.PLATFORM_COMPAT === 'existing',
    sessionStatus: status,
    contended: () => contention.contended,
    login: () => supervisor.login,
    keptTicket: () => tickets.kept(supervisor.lastLogin),
    tickets,
    keeper,
    givenToMod: log.lobbyGivenToMod,
    download: {
      answer: () => gameFiles.answer(),
      look: () => newerBuild.look(),
      publish: (signal) => newerBuild.publish(signal),
    },
    gameUpdate: () => updates.last,
    registry: metrics.registry,
    logger,
    now: () => clock.date(),
  });

  return {
    app,
    async check() {
      // First, as these sessions are among those that the account is chosen from.
      if (configuration.PLATFORM_COMPAT === 'existing')
        await takeOverSessions(configuration.SESSION_DIR, store, log);
      await account.check();
      await lookForForeignToken();
    },
    async start() {
      await store.removeStaleTemporaries();
      await contention.restore();
      await gameFiles.start();
      await newerBuild.start();
      await supervisor.start();
      // A state that never changed has not been told yet.
      if (supervisor.model.state.name === 'no-account') log.changed(supervisor.model);
    },
    async stop() {
      updates.stop();
      // Requests that wait for the platform end with its session, so nobody has to wait for them.
      await Promise.all([
        care.stop(),
        contention.stop(),
        app.close(),
        supervisor.stop(),
        keeper.stop(),
        gameFiles.stop(),
        newerBuild.stop(),
      ]);
      await store.close();
    },
    contain(cause) {
      if (!isLibraryLeak(cause)) return false;
      metrics.leakContained();
      log.leak(leakFrames(cause));
      void supervisor.abandon({ class: 'transient', reason: 'An error in a platform library' });
      return true;
    },
  };
}
