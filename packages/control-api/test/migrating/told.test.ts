import { readFileSync } from 'node:fs';
import type { StewardEvent } from '@steward/shared/events/event-data';
import { type EventType, eventTypeNames, topicOf } from '@steward/shared/events/event-types';
import { ManualClock } from '@steward/testing/manual-clock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppTickets } from '../../src/invites/app-tickets.ts';
import { Invites } from '../../src/invites/invites.ts';
import { ExistingStage } from '../game/stage/existing-stage.ts';
import { quiet } from '../game/stage/stage.ts';

const page = readFileSync(new URL('../../../../docs/migrating.md', import.meta.url), 'utf8');

/** The page's table of what is told in front of the existing server. */
function table(): { readonly told: EventType[]; readonly untold: EventType[] } {
  const [, behind = ''] = page.split('| Topic | Sent | Not sent |\n| --- | --- | --- |\n');
  const [lines = ''] = behind.split('\n\n');
  const rows = lines.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  for (const [, topic = '', told = '', untold = ''] of rows)
    expect(new Set(typesIn(told + untold).map(topicOf)), topic).toEqual(new Set([topic.replaceAll('`', '')]));
  return {
    told: rows.flatMap(([, , told = '']) => typesIn(told)),
    untold: rows.flatMap(([, , , untold = '']) => typesIn(untold)),
  };
}

function typesIn(cell: string): EventType[] {
  const named = [...cell.matchAll(/`([a-zA-Z.]+)`/g)].map(([, name]) => name);
  return eventTypeNames.filter((type) => named.includes(type));
}

let stage: ExistingStage;
beforeEach(() => {
  stage = new ExistingStage();
});
afterEach(() => stage[Symbol.asyncDispose]());

it('the page says of each type whether it is told', () => {
  const { told, untold } = table();
  expect([...told, ...untold].toSorted()).toEqual(eventTypeNames.toSorted());
});

/** A server that the bridge looks at, with all that is told of it. */
async function watched() {
  const there = await stage.server();
  const { bridge, until, live } = await stage.bridgeTo(there.origin);
  const events: StewardEvent[] = [];
  const waiting = new Set<() => void>();
  bridge.events.follow(({ event }) => {
    events.push(event);
    for (const look of waiting) look();
  });
  const invites = new Invites({
    bridge,
    sidecar: undefined,
    tickets: new AppTickets(undefined),
    clock: new ManualClock(),
    random: () => 0,
    log: quiet,
  });
  const told = (type: EventType, times = 1): Promise<StewardEvent> =>
    new Promise((resolve) => {
      const look = () => {
        const of = events.filter((event) => event.type === type);
        const event = of[times - 1];
        if (event === undefined) return;
        waiting.delete(look);
        resolve(event);
      };
      waiting.add(look);
      look();
    });
  return { ...there, there, bridge, until, live, events, invites, told };
}

describe('in front of the existing server', () => {
  it('all is told that the page lists, and nothing else', async () => {
    const { farm, there, bridge, live, events, told, until } = await watched();
    await live();
    const ann = farm.join();
    expect(await told('players.joined')).toMatchObject({ data: { door: 'unknown', connectionId: '' } });
    farm.customize(ann, 'Ann');
    const [playerId, playerName] = [String(ann.id), 'Ann'];
    expect(await told('farmhands.customized')).toMatchObject({ data: { playerId, playerName } });
    while (there.chat.listeners === 0) await new Promise((resolve) => farm.once('snapshot', resolve));
    farm.say('Ann', 'good morning');
    await told('chat.said');
    farm.networkCode = 'ABC';
    expect(await told('invites.codes')).toMatchObject({ data: { network: 'GABC' } });
    await told('invites.step');
    farm.calendar.day = 2;
    await told('farm.dayStarted');
    farm.maxPlayers = 4;
    expect(await told('server.settingsChanged')).toMatchObject({ data: { fields: ['server.maxPlayers'] } });
    ann.isOnline = false;
    await told('players.left');
    await until(({ sections }) => sections.players?.length === 0);
    await bridge.run({ name: 'deleteFarmhand', params: { target: { playerId } } });
    await told('operations.ended');
    expect(await told('farmhands.deleted')).toMatchObject({ data: { playerId, playerName } });
    farm.thread.freeze();
    farm.thread.pretendSilence(6_000);
    await told('game.frozen');
    farm.thread.thaw();
    await told('game.recovered');
    const port = there.port;
    await stage.close(there);
    expect(await told('game.lost')).toMatchObject({ data: { remedy: expect.any(String) } });
    await stage.server({ port });
    await told('game.connected', 2);
    await bridge.stop();
    const types = new Set(events.map(({ type }) => type));
    // By the service itself, and before anybody could be there.
    const byOthers = [
      'server.started',
      'server.stopping',
      'sidecar.session',
      'sidecar.download',
      'webhooks.switchedOff',
      'game.waiting',
      // By what is asked for here.
      'farm.loaded',
    ];
    const topicsOfOthers: readonly string[] = ['backups', 'schedules', 'state'];
    expect([...types].toSorted()).toEqual(
      table()
        .told.filter((type) => !byOthers.includes(type) && !topicsOfOthers.includes(topicOf(type)))
        .toSorted(),
    );
  }, 20_000);

  it('tells who came and went while it was away, and nothing of farmhands that only are not loaded', async () => {
    const { farm, there, live, events, told, until } = await watched();
    await live();
    const ann = farm.join();
    farm.customize(ann, 'Ann');
    await told('farmhands.customized');
    await until(({ sections }) => sections.farmhands?.length === 2);
    farm.isLoaded = false;
    farm.publish();
    await until(({ sections }) => sections.farmhands?.length === 0);
    await told('players.left');
    farm.isLoaded = true;
    farm.publish();
    await told('players.joined', 2);
    await until(({ sections }) => sections.farmhands?.length === 2);
    const { port } = there;
    await stage.close(there);
    await told('game.lost');
    await stage.server({ port });
    await told('game.connected', 2);
    await told('players.left', 2);
    const farmhands = events.filter(({ type }) => topicOf(type) === 'farmhands');
    expect(farmhands).toHaveLength(1);
  }, 20_000);

  it('is waited for in as many words as there are things to do', async () => {
    const { port, origin } = await stage.server();
    await stage[Symbol.asyncDispose]();
    const { bridge, until } = await stage.bridgeTo(origin);
    const types: string[] = [];
    bridge.events.follow(({ event }) => types.push(event.type));
    await until(({ link }) => link.reason.includes(origin) && link.remedy !== undefined);
    await stage.server({ port, key: 'another' });
    await until(({ link }) => link.reason.includes('EXISTING_API_KEY'));
    expect(types.filter((type) => type === 'game.waiting').length).toBeLessThanOrEqual(2);
    expect(types).not.toContain('game.lost');
  });
});
