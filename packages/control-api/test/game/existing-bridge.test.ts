import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ExistingStage } from './stage/existing-stage.ts';

/** What has no long-poll is not looked at in its turn. */
const noTurns = { slowReadMs: 3_600_000 };

let stage: ExistingStage;
beforeEach(() => {
  stage = new ExistingStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

describe('what the existing server shows', () => {
  it('arrives whole, with every digit of an id', async () => {
    const { farm, origin } = await stage.server();
    farm.networkCode = 'ABC';
    farm.customize(farm.join(), 'Ann');
    farm.publish();
    const { live, until } = await stage.bridgeTo(origin);
    await live();
    const { sections, isWhole } = await until(({ version }) => version > 0);
    expect(isWhole).toBe(true);
    expect(sections.players).toEqual([
      { id: '620826087702429092', name: 'Ann', connectionId: '', isAdmin: false },
    ]);
    expect(sections.farmhands?.map(({ id, isOnline }) => [id, isOnline])).toEqual([
      ['620826087702429092', true],
      ['620826087702429093', false],
    ]);
  });

  it('is next to nothing while it has no world, and comes with the world', async () => {
    const { farm, origin } = await stage.server();
    Object.assign(farm, { isLoaded: false, networkCode: 'ABC' });
    farm.publish();
    const { until } = await stage.bridgeTo(origin);
    await until(({ isWhole, sections }) => isWhole && sections.status?.isOnline === false);
    farm.isLoaded = true;
    const state = await until(({ sections }) => sections.status?.isOnline === true);
    expect(state.isWhole).toBe(true);
    await until(({ sections, selfHosted }) => {
      const isThere = sections.status?.isOnline === true && sections.farmhands?.length === 1;
      return isThere && sections.cabins?.cabins.length === 1 && selfHosted?.codes.network === 'GABC';
    });
  });

  it('arrives also from a build that does not tell what is only shown, which is empty then', async () => {
    const { farm, origin } = await stage.server();
    farm.on('snapshot', ({ status }) =>
      Object.assign(status, { serverVersion: undefined, gameVersion: undefined, farmTypeKey: undefined }),
    );
    farm.publish();
    const { until } = await stage.bridgeTo(origin);
    const { sections } = await until(({ isWhole }) => isWhole);
    expect(sections.status).toMatchObject({ serverVersion: '', gameVersion: '', farmTypeKey: '' });
    expect(sections.status?.farmName).toBe('Junimo');
  });

  it('follows what changes, and is not told of versions in which nothing did', async () => {
    const { farm, origin } = await stage.server();
    const { bridge, live, until, event } = await stage.bridgeTo(origin);
    await live();
    const joined = event(({ type }) => type === 'players.joined');
    const ann = farm.join();
    await until(({ sections }) => sections.status?.playerCount === 1);
    expect(await joined).toMatchObject({ data: { playerId: String(ann.id), playerName: '' } });
    farm.customize(ann, 'Ann');
    await until(({ sections }) => sections.players?.[0]?.name === 'Ann');
    const day = event(({ type }) => type === 'farm.dayStarted');
    farm.calendar.day = 2;
    expect(await day).toMatchObject({ data: { day: 2, season: 'spring' } });
    const left = event(({ type }) => type === 'players.left');
    ann.isOnline = false;
    expect(await left).toMatchObject({ data: { playerName: 'Ann' } });
    await until(({ sections }) => sections.status?.playerCount === 0);
    await until(({ sections }) => sections.farmhands?.every(({ isOnline }) => !isOnline) === true);
    const { version } = bridge.state;
    const versionThere = farm.snapshot?.version ?? 0;
    await new Promise<void>((resolve) =>
      farm.on('snapshot', (snapshot) => snapshot.version > versionThere + 5 && resolve()),
    );
    // The uptime that its statistics count is all that may have come.
    expect(bridge.state.version).toBeLessThanOrEqual(version + 1);
  });
});

describe('a day', () => {
  it('has begun once, however often that server starts again and loads it, and also while it was away', async () => {
    const first = await stage.server();
    const { port } = first;
    const { bridge, until, event } = await stage.bridgeTo(first.origin);
    const days: number[] = [];
    bridge.events.follow(({ event: { type, data } }) => {
      if (type === 'farm.dayStarted') days.push(data.day);
    });
    const isLoaded = (wanted: boolean) => until(({ sections }) => sections.status?.isOnline === wanted);
    await isLoaded(true);
    first.farm.isLoaded = false;
    await isLoaded(false);
    first.farm.isLoaded = true;
    await isLoaded(true);
    await stage.close(first);
    await until(({ link }) => link.status === 'gone');
    const second = await stage.server({ port });
    second.farm.isLoaded = false;
    second.farm.publish();
    await isLoaded(false);
    expect(days).toEqual([]);
    const day = event(({ type }) => type === 'farm.dayStarted');
    second.farm.calendar.day = 2;
    second.farm.isLoaded = true;
    await day;
    expect(days).toEqual([2]);
  });
});

describe('what has no long-poll', () => {
  it('is looked at whenever a long-poll brings a change, so that a cabin is there with who has it', async () => {
    const { farm, origin } = await stage.server();
    const { live, until } = await stage.bridgeTo(origin, 'k', {}, noTurns);
    await live();
    farm.customize(farm.join(), 'Ann');
    await until(({ sections }) => sections.cabins?.cabins[0]?.ownerName === 'Ann');
    const { sections } = await until(({ sections }) => sections.cabins?.cabins.length === 2);
    expect(sections.cabins?.cabins.map(({ ownerName }) => ownerName)).toContain('Ann');
  });

  it('has an age of its own, which no other news makes younger', async () => {
    const { farm, origin } = await stage.server();
    const { bridge, live, until } = await stage.bridgeTo(origin, 'k', {}, noTurns);
    await live();
    await until(({ version }) => version > 0);
    const slow = ['cabins', 'rendering', 'stats', 'settings'] as const;
    const times = () => slow.map((name) => bridge.pushedAt([name])?.getTime());
    const [told, statusTold = new Date()] = [times(), bridge.pushedAt(['status'])];
    const isNewer = () => (bridge.pushedAt(['status', 'players', 'farmhands']) ?? statusTold) > statusTold;
    while (!isNewer()) await new Promise((resolve) => farm.once('snapshot', resolve));
    expect(times()).toEqual(told);
    expect(bridge.pushedAt(['status', 'cabins'])?.getTime()).toBe(told[0]);
    farm.calendar.day = 2;
    while (times().some((at = 0, index) => at <= (told[index] ?? 0)))
      await new Promise((resolve) => farm.once('snapshot', resolve));
  });

  it('is as old as that server says, so that a frozen one shows it', async () => {
    const { farm, origin } = await stage.server();
    farm.thread.freeze();
    const at = performance.now() - 60_000;
    Object.assign(farm.snapshot ?? {}, { takenAt: at });
    const { bridge, until } = await stage.bridgeTo(origin, 'k', {}, noTurns);
    await until(({ isWhole }) => isWhole);
    for (const name of ['status', 'players', 'farmhands', 'cabins'] as const)
      expect(Date.now() - (bridge.pushedAt([name])?.getTime() ?? 0)).toBeGreaterThanOrEqual(60_000);
  });
});

describe('a server that', () => {
  it('freezes is called frozen, and live again', async () => {
    const { farm, origin } = await stage.server();
    const { bridge, live, until } = await stage.bridgeTo(origin);
    await live();
    farm.thread.freeze();
    farm.thread.pretendSilence(6_000);
    await until(({ link }) => link.status === 'frozen');
    expect(bridge.ticks.ageMs).toBeGreaterThan(5_000);
    farm.thread.thaw();
    await live();
  });

  it('vanishes is gone, and followed again when it is back, whatever its versions were', async () => {
    const there = await stage.server();
    const { port } = there;
    const { live, until } = await stage.bridgeTo(there.origin);
    await live();
    while ((there.farm.snapshot?.version ?? 0) < 20)
      await new Promise((resolve) => there.farm.once('snapshot', resolve));
    await stage.close(there);
    await until(({ link }) => link.status === 'gone');
    const again = await stage.server({ port });
    await live();
    again.farm.calendar.timeOfDay = 1_500;
    const { link } = await until(({ sections }) => sections.status?.timeOfDay === 1_500);
    expect(link.status).toBe('live');
  });

  it('is away behind a proxy that answers for it is away for one reason, since the first time', async () => {
    const asked: string[] = [];
    const proxy = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(502).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const { bridge, until } = await stage.bridgeTo(`http://127.0.0.1:${port}`);
    const { link } = await until(({ link }) => link.reason.includes('502'));
    expect(link.reason).toBe(`the existing server at http://127.0.0.1:${port}: it answers 502 to /status`);
    for (const before = asked.length; asked.length < before + 3; ) await once(proxy, 'request');
    expect(new Set(asked)).toEqual(new Set(['/status']));
    expect(bridge.state.link).toBe(link);
  });

  it('refuses the key is named as that', async () => {
    const { origin } = await stage.server();
    const { until } = await stage.bridgeTo(origin, 'wrong');
    const { link } = await until(({ link }) => link.reason.includes('EXISTING_API_KEY'));
    expect(link.status).toBe('waiting');
  });
});
