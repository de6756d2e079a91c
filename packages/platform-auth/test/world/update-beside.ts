import { Writable } from 'node:stream';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { createLogger } from '@steward/service-kit/log/logger';
import type { GameStaging } from '@steward/shared/sidecar/download';
import { Changes } from '@steward/testing/changes';
import { ManualClock } from '@steward/testing/manual-clock';
import { afterAll, beforeAll } from 'vitest';
import { newerBuildLog } from '../../src/download/background/game-files-log.ts';
import { NewerBuild, type NewerBuildParts } from '../../src/download/background/newer-build.ts';
import { type DiskSteps, diskSteps } from '../../src/download/disk/disk-steps.ts';
import { type Marker, readMarker } from '../../src/download/kept/marker.ts';
import { Places } from '../../src/download/names/places.ts';
import { publishStaged } from '../../src/download/run/publish-staged.ts';
import type { PlatformSession } from '../../src/platform/platform-session.ts';
import { expectedTree } from './game-tree.ts';
import { LocalDownload } from './local-download.ts';
import { twoVersions } from './small-depots.ts';

const [older, newer] = twoVersions();
const now = () => new Date();

export const trees = {
  older: expectedTree([older], [], [], () => false),
  newer: expectedTree([newer], [], [], () => false),
};

/** A GAME_DIR with the older game, while the platform has the newer; and the part of the service that brings it beside the game. */
export class UpdateBeside implements Disposable {
  readonly world: LocalDownload;
  readonly places: Places;
  /** How often what was cut off was left to the background download. */
  leftForLater = 0;
  /** Whether the service may bring files. */
  isOn = true;
  #steps: DiskSteps = diskSteps;
  readonly #lines: string[] = [];
  readonly #changes = new Changes();

  constructor(world = new LocalDownload()) {
    this.world = world;
    this.places = new Places(world.directory);
  }

  copy(): UpdateBeside {
    const copy = new UpdateBeside(this.world.copy());
    copy.world.content.publish(gameAppId, [newer]);
    return copy;
  }

  /** As a service that has just begun. */
  service(session: NewerBuildParts['session'] = () => ({}) as PlatformSession): NewerBuild {
    return new NewerBuild({
      places: this.places,
      isOn: this.isOn,
      session,
      sessionTrouble: () => ({ reason: 'There is no session' }),
      stage: (_session, events, signal) =>
        this.world.run({ stagesOnly: true }, { events, signal, steps: this.#steps }),
      publish: (signal) => publishStaged(this.places, { command: 'serve', now, signal, steps: this.#steps }),
      completeLater: () => {
        this.leftForLater += 1;
      },
      clock: new ManualClock(),
      listener: newerBuildLog(createLogger('test', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }, this.#log), {
        downloadFetched() {},
        downloadFailed() {},
      }),
    });
  }

  /** Has the staged build published, on this disk and for whoever has this signal; what that came to, in words. */
  async publish(steps: DiskSteps, signal = new AbortController().signal): Promise<string> {
    this.#steps = steps;
    return this.service()
      .publish(signal)
      .then(
        () => 'published',
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
  }

  /** Asks for a newer build, on this disk, and waits until the log says something of that. */
  async look(steps: DiskSteps, said: RegExp): Promise<void> {
    this.#steps = steps;
    await this.service().look();
    await this.#changes.until(() => this.#lines.find((line) => said.test(line)), {
      missing: () => `the log does not say ${said}: ${this.log}`,
    });
  }

  marker(): Promise<Marker | undefined> {
    return readMarker(this.places);
  }

  /** What a service says that has just begun. */
  async toldAtStart(): Promise<GameStaging | undefined> {
    const service = this.service();
    await service.start();
    return this.toldBy(service);
  }

  async toldBy(service: NewerBuild): Promise<GameStaging | undefined> {
    const marker = await this.marker();
    if (marker === undefined) throw new Error('there is no whole game');
    return service.answer(marker);
  }

  get log(): string {
    return this.#lines.join('\n');
  }

  get #log(): Writable {
    return new Writable({
      write: (line, _encoding, done) => {
        this.#lines.push(String(line));
        this.#changes.told();
        done();
      },
    });
  }

  [Symbol.dispose](): void {
    this.world[Symbol.dispose]();
  }
}

/** The same in the state before and in that after the newer one is staged, made once for a file of tests: each gets copies. */
export function preparedUpdates() {
  const begun = new UpdateBeside();
  let staged: UpdateBeside;
  beforeAll(async () => {
    begun.world.content.publish(gameAppId, [older]);
    await begun.world.run();
    staged = begun.copy();
    await staged.world.run({ stagesOnly: true });
  });
  afterAll(() => {
    begun[Symbol.dispose]();
    staged[Symbol.dispose]();
  });
  return { begun: () => begun.copy(), staged: () => staged.copy() };
}
