import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { fillSamples } from '../store/filled-samples.ts';
import { openApi } from './stage/open-api.ts';
import { leaveSamples, sampleOf } from './stage/sampled.ts';
import { sharedApi } from './stage/shared-api.ts';

const noGame = { ticks: null, tickGapMs: null, bridgeLatencyMs: null, gameMemoryMb: null };

describe('GET /samples', () => {
  const withoutSamples = sharedApi();

  it('has a value a step of each thing, and null for what nobody knows', async () => {
    using directory = temporaryDirectory();
    await leaveSamples(directory.path, [
      sampleOf(5),
      sampleOf(4, {
        players: 2,
        ticks: 3_001,
        tickGapMs: 4_000,
        bridgeLatencyMs: 2_010,
        serviceMemoryMb: 90,
      }),
      sampleOf(2, { players: 0, ...noGame }),
    ]);
    await using api = await openApi({ directory: directory.path });
    const query = 'from=2026-11-20T23:54:30Z&to=2026-11-20T23:59:00Z';
    expect((await api.ask('GET', `/samples?${query}`)).exact).toEqual({
      from: '2026-11-20T23:54:00.000Z',
      step: 'minute',
      stepSeconds: 60,
      players: [null, 1, 2, null, 0],
      mostPlayers: [null, 1, 2, null, 0],
      ticksPerSecond: [null, 59.9, 30.01, null, null],
      tickGapMs: [null, 1_010, 4_000, null, null],
      bridgeLatencyMs: [null, 21, 2_010, null, null],
      serviceMemoryMb: [null, 91, 90, null, 91],
      gameMemoryMb: [null, 513, 513, null, null],
    });
  });

  it.each([
    ['hour', '2026-11-20T22:00:00.000Z', 3_600, [null, 4 / 3]],
    ['day', '2026-11-20T00:00:00.000Z', 86_400, [4 / 3]],
  ] as const)('puts the minutes of each %s together', async (step, from, stepSeconds, players) => {
    using directory = temporaryDirectory();
    await leaveSamples(directory.path, [
      sampleOf(50),
      sampleOf(40, { players: 3, ticks: 3_000, tickGapMs: 4_000, serviceMemoryMb: 95, gameMemoryMb: 600 }),
      sampleOf(1, { players: 0, ...noGame }),
    ]);
    await using api = await openApi({ directory: directory.path });
    const { exact } = await api.ask('GET', `/samples?step=${step}&from=2026-11-20T22:10:00Z`);
    const known = players.map((each) => each !== null);
    const where = (value: number) => known.map((isKnown) => (isKnown ? value : null));
    expect(exact).toEqual({
      from,
      step,
      stepSeconds,
      players: where(1.33),
      mostPlayers: where(3),
      ticksPerSecond: where(44.95),
      tickGapMs: where(4_000),
      bridgeLatencyMs: where(21),
      serviceMemoryMb: where(95),
      gameMemoryMb: where(600),
    });
  });

  it('puts the hours of a day together, whichever of them a game was there', async () => {
    using directory = temporaryDirectory();
    await leaveSamples(directory.path, [
      sampleOf(600, { ...noGame, players: 0 }),
      sampleOf(300, { players: 4, ticks: 6_000 }),
      sampleOf(60, { ...noGame, players: 0 }),
      sampleOf(0),
    ]);
    await using api = await openApi({ directory: directory.path });
    const { exact } = await api.ask(
      'GET',
      '/samples?step=day&from=2026-11-20T00:00:00Z&to=2026-11-21T00:01:00Z',
    );
    expect(exact).toMatchObject({
      players: [1.33, 1],
      mostPlayers: [4, 1],
      ticksPerSecond: [60, 59.9],
      tickGapMs: [1_010, 1_010],
      gameMemoryMb: [513, 513],
    });
  });

  it.each([
    ['', 'minute', 24 * 60, '2026-11-20T00:00:00.000Z'],
    ['to=2026-11-10T12:00:00Z', 'minute', 24 * 60, '2026-11-09T12:00:00.000Z'],
    ['from=2026-11-14T00:00:00Z', 'hour', 7 * 24, '2026-11-14T00:00:00.000Z'],
    ['from=2025-10-17T00:00:00Z', 'day', 400, '2025-10-17T00:00:00.000Z'],
    ['from=2026-11-20T00:00:00.123456%2B00:00', 'minute', 24 * 60, '2026-11-20T00:00:00.000Z'],
    ['step=minute&from=2026-11-14T00:00:00Z', 'minute', 7 * 24 * 60, '2026-11-14T00:00:00.000Z'],
    ['step=hour&from=2025-10-17T00:00:00Z', 'hour', 400 * 24, '2025-10-17T00:00:00.000Z'],
    ['from=0000-01-01T00:00:00Z&to=0000-01-01T00:00:00.001Z', 'minute', 1, '0000-01-01T00:00:00.000Z'],
    ['from=9999-12-31T23:59:59Z&to=9999-12-31T23:59:59.999Z', 'minute', 1, '9999-12-31T23:59:00.000Z'],
  ])('of "%s" goes by the %s', async (query, step, points, from) => {
    const api = await withoutSamples();
    const { exact } = await api.ask('GET', `/samples?${query}`);
    expect(exact).toMatchObject({ step, from });
    expect(exact['players']).toHaveLength(points);
  });

  it.each([
    ['from=2026-11-21T00:00:00Z', 'from is not before now'],
    ['from=2026-11-20T00:00:00Z&to=2026-11-20T00:00:00Z', 'from is not before to'],
    [
      'from=yesterday',
      'from is "yesterday", which has a different format: it must be a time in UTC, such as 2026-11-21T06:30:00Z',
    ],
    [
      'from=2026-11-20T00:00:00+00:00',
      'from is "2026-11-20T00:00:00 00:00", which has a different format: it must be a time in UTC, such as 2026-11-21T06:30:00Z',
    ],
    ['step=week', 'step is "week", which is not one of them: it must be one of minute, hour, day'],
    [
      'step=minute&from=2026-11-01T00:00:00Z',
      'step=minute would give 28800 points, and the maximum is 12000: ask for a shorter time, or for longer steps',
    ],
    [
      'from=1970-01-01T00:00:00Z',
      'step=day would give 20778 points, and the maximum is 12000: ask for a shorter time, or for longer steps',
    ],
  ])('of "%s" is a 400 that says what is wrong', async (query, detail) => {
    const api = await withoutSamples();
    const { exact } = await api.ask('GET', `/samples?${query}`);
    expect(exact).toMatchObject({ status: 400, code: 'invalid-parameter', detail });
  });

  it('has what the service has sampled itself, over a restart', async () => {
    using directory = temporaryDirectory();
    {
      await using api = await openApi({ directory: directory.path });
      api.clock.advance(60_000);
    }
    await using api = await openApi({ directory: directory.path });
    const query = 'from=2026-11-21T00:00:00Z&to=2026-11-21T00:01:00Z';
    const { exact } = await api.ask('GET', `/samples?${query}`);
    expect(exact).toMatchObject({
      players: [1],
      mostPlayers: [1],
      serviceMemoryMb: [expect.any(Number)],
      gameMemoryMb: [513],
    });
  });

  it('answers a week by the minute and 400 days by the hour in at most twice what bare reading of the rows takes', {
    timeout: 600_000,
  }, async () => {
    using directory = temporaryDirectory();
    const { minute } = sampleOf(0);
    fillSamples(directory.path, minute - 400 * 24 * 60, minute);
    await using api = await openApi({ directory: directory.path });
    using bare = new DatabaseSync(join(directory.path, 'steward.db'), { readOnly: true });
    const week = bare.prepare(`select * from samples where minute >= ${minute - 7 * 24 * 60}`);
    const year = bare.prepare('select * from sample_hours');
    for (const [query, rows] of [
      ['step=minute&from=2026-11-14T00:00:00Z', week],
      ['step=hour&from=2025-10-17T00:00:00Z', year],
    ] as const) {
      const oursMs: number[] = [];
      const bareMs: number[] = [];
      const times = () => Math.min(...oursMs) / Math.min(...bareMs);
      // A thread is woken on the way: beside other programs more rounds may pass until one is not kept waiting for the processor.
      for (let round = 0; round < 15 || (round < 100 && times() >= 2); round += 1) {
        const start = performance.now();
        const { body } = await api.app.inject(`/samples?${query}`);
        const between = performance.now();
        const written = JSON.stringify(rows.all());
        bareMs.push(performance.now() - between);
        oursMs.push(between - start);
        expect(body).not.toContain('null');
        expect(written.length).toBeGreaterThan(body.length);
      }
      // Bare takes 15 ms on a machine where nothing else runs. In milliseconds this would fail for what runs beside it.
      expect(times()).toBeLessThan(2);
    }
  });

  it('is state-unreadable where there is no database, and everything else goes on', async () => {
    using directory = temporaryDirectory();
    using newer = new DatabaseSync(join(directory.path, 'steward.db'));
    newer.exec('create table later (x); pragma user_version=1000');
    newer.close();
    await using api = await openApi({ directory: directory.path });
    api.clock.advance(60_000);
    expect((await api.ask('GET', '/samples')).exact).toMatchObject({
      status: 503,
      code: 'state-unreadable',
      detail: expect.stringMatching(/^No samples can be read: .*newer version.*docs\/upgrades\.md/),
    });
    expect((await api.ask('GET', '/status')).statusCode).toBe(200);
  });
});
