import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AskedDrain } from '../../src/drain/standing.ts';
import { type DrainStage, drainStage } from './drain-stage.ts';

const minute = 60_000;

type Step =
  | { readonly does: 'comes' | 'leaves'; readonly id: string }
  | { readonly does: 'passes'; readonly ms: number }
  | { readonly does: 'drain'; readonly asked: AskedDrain }
  | { readonly does: 'isSetBy'; readonly ms: number }
  | {
      readonly does: 'dayEnds' | 'cancel' | 'crashes' | 'isLost' | 'isStartedAgain' | 'isBusy' | 'isWilling';
    };

const id = fc.constantFrom('1', '2', '3');
const asked: fc.Arbitrary<AskedDrain> = fc.record({
  when: fc.constantFrom('now', 'empty', 'day-end'),
  restart: fc.boolean(),
  minutes: fc.integer({ min: 0, max: 6 }),
  seconds: fc.integer({ min: 0, max: 90 }),
});
const passing = fc
  .constantFrom(500, 3_000, 12_000, 45_000, 3 * minute)
  .map((ms) => ({ does: 'passes', ms }) as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: passing },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('comes', 'leaves'), id }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('drain'), asked }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('isSetBy'), ms: fc.integer({ min: -9e6, max: 9e6 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'dayEnds',
        'cancel',
        'crashes',
        'isLost',
        'isStartedAgain',
        'isBusy',
        'isWilling',
      ),
    }),
  },
);

/** Watches each drain from its beginning to its end, and holds it to what was promised to players. */
class Watch {
  /** Whoever is told of an event must not throw. */
  readonly violations: string[] = [];
  readonly #stage: DrainStage;
  #asked: AskedDrain = { when: 'now' };
  #since = 0;
  #phase = '';
  #wasSaved = false;
  #wasEmpty = false;
  /** Nothing has kept the game from saving since it was to. */
  #couldSave = true;
  #generation = 0;

  constructor(stage: DrainStage) {
    this.#stage = stage;
    let hasEnded = false;
    stage.bridge.events.follow(({ event }) => {
      if (event.type === 'farm.dayEnded') hasEnded = true;
      if (event.type === 'farm.saved') this.#wasSaved = hasEnded;
      if (event.type === 'server.draining') {
        if (event.data.phase === 'waiting') [hasEnded, this.#wasSaved] = [false, false];
        this.#step(event.data.phase);
      }
      if (event.type === 'server.drained') {
        const { isSaved } = event.data;
        this.#holds(isSaved || !this.#couldSave, 'the game could have saved');
        this.#holds(!isSaved || stage.generation > this.#generation, 'the game has not saved');
      }
    });
  }

  begins(asked: AskedDrain): void {
    this.#asked = asked;
    this.#phase = '';
  }

  /** Somebody may have been gone for a moment alone. */
  looks(): void {
    if (this.#stage.present().length === 0) this.#wasEmpty = true;
  }

  isDisturbed(): void {
    this.#couldSave = false;
  }

  #holds(is: boolean, otherwise: string): void {
    if (!is) this.violations.push(`${this.#phase}: ${otherwise}`);
  }

  #step(phase: string): void {
    const { when, minutes = 0, seconds = 0 } = this.#asked;
    const now = this.#stage.clock.now();
    const passed = now - this.#since;
    this.looks();
    const isItsMoment = this.#wasEmpty || (when === 'day-end' && this.#wasSaved);
    if (phase === 'counting' && this.#phase === 'waiting')
      this.#holds(isItsMoment || passed >= minutes * minute, 'it was not yet its time');
    if (phase === 'leaving') {
      const least = this.#wasSaved ? Math.min(seconds, 10) : seconds;
      this.#holds(this.#wasEmpty || passed >= least * 1_000, 'there was less time than was promised');
      const { game, bridge } = this.#stage;
      this.#couldSave = game.mood === 'willing' && bridge.state.link.status === 'live';
      this.#generation = this.#stage.generation;
    }
    if (phase === 'stopping')
      this.#holds(this.#stage.present().length === 0 || !this.#couldSave, 'somebody is still there');
    [this.#phase, this.#since, this.#wasEmpty] = [phase, now, false];
    this.looks();
  }
}

/** Whatever happens, in any order. */
async function play(stage: DrainStage, watch: Watch, each: Step): Promise<void> {
  const { drains, game } = stage;
  const isOpen = await stage.knocks();
  expect(isOpen).toBe(drains.standing === undefined || drains.standing.phase === 'starting');
  if (each.does === 'comes' && isOpen) await stage.comes(each.id);
  if (each.does === 'leaves') await stage.leaves(each.id);
  if (each.does === 'passes') await stage.pass(each.ms);
  if (each.does === 'isSetBy') stage.clock.setWallClock(each.ms);
  if (each.does === 'dayEnds') await stage.dayEnds();
  if (each.does === 'isStartedAgain') await stage.isStartedAgain();
  if (each.does === 'isWilling') game.mood = 'willing';
  if (each.does === 'isBusy') game.mood = { refuses: 'saving', message: 'the farm is saving' };
  if (each.does === 'isBusy' || each.does === 'crashes' || each.does === 'isLost') watch.isDisturbed();
  if (each.does === 'crashes') await stage.crashes();
  if (each.does === 'isLost') await stage.isLost();
  const isRefused = () => {};
  if (each.does === 'drain') {
    if (drains.standing === undefined) watch.begins(each.asked);
    void drains.start(each.asked, undefined).catch(isRefused);
  }
  if (each.does === 'cancel') void drains.end(undefined).catch(isRefused);
  await stage.calm();
  watch.looks();
}

it.each([
  ['a game of its own', true],
  ['somebody else’s game', false],
])(
  'of %s lets nobody new in, takes nobody’s day before its time, and ends stopped or as before',
  async (_of, isOurs) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        using stage = await drainStage({ players: 2, isOurs, hasDisk: false });
        const watch = new Watch(stage);
        for (const each of steps) await play(stage, watch, each);
        stage.game.mood = 'willing';
        // Longer than any of them may take.
        await stage.pass(20 * minute);
        expect(watch.violations).toEqual([]);
        const { standing } = stage.drains;
        expect([undefined, 'stopped']).toContain(standing?.phase);
        if (standing !== undefined) {
          if (isOurs) expect(stage.mode.isThere).toBe(false);
          expect(stage.bridge.state.link.status).toBe('stopped');
          await stage.drains.end(undefined);
        }
        await stage.isStartedAgain();
        expect([await stage.knocks(), stage.drains.standing, stage.bridge.state.link.status]).toEqual([
          true,
          undefined,
          'live',
        ]);
      }),
      { numRuns: count({ small: 20, long: 2_000 }) },
    );
  },
);
