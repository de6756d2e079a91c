import { eventually } from '@steward/testing/eventually';
import { expect, it } from 'vitest';
import {
  botChats,
  botReadsStatus,
  curl,
  diagnosticsReads,
  type Server,
} from './existing/existing-clients.ts';
import { ExistingWorld } from './existing/existing-world.ts';
import { farmProcesses, key } from './stage/farm-processes.ts';

const limitMs = 120_000;

/** A server with one player, Ann, on it, and what a test may have happen there. */
interface Played extends AsyncDisposable {
  readonly server: Server;
  readonly id: string;
  readonly playersSay: (text: string) => Promise<unknown>;
  /** Undefined where nobody can look. */
  readonly chatThere?: () => Promise<string>;
  readonly leave: () => Promise<unknown>;
}

async function simulatedFarm(): Promise<Played> {
  // So slow that no night comes meanwhile, in which nothing can be changed.
  const system = await farmProcesses({ pace: '10' });
  await system.open();
  const [, id = ''] = /as farmhand (\S+),/.exec(await system.order('join', 'Ann', '--client', 'test')) ?? [];
  await system.farmhand('Ann');
  return {
    server: { origin: system.url, key },
    id,
    playersSay: (text) => system.order('say', 'Ann', text),
    leave: () => system.order('leave', 'Ann'),
    [Symbol.asyncDispose]: () => system[Symbol.asyncDispose](),
  };
}

async function throughTheAdapter(): Promise<Played> {
  const world = await ExistingWorld.start();
  await world.until('/status', ({ steamInviteCode }) => steamInviteCode !== undefined);
  const id = String(await world.order('join Ann'));
  await world.untilSeen('/farmhands', ({ farmhands }) =>
    (farmhands as { name: string }[]).some(({ name }) => name === 'Ann'),
  );
  return {
    server: world.server,
    id,
    playersSay: (text) => world.order(`say Ann ${text}`),
    chatThere: async () => JSON.stringify(await world.order('chat')),
    leave: () => world.order('leave Ann'),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

it.each([
  ['on the simulated farm', simulatedFarm],
  ['through the adapter', throughTheAdapter],
])(
  'clients of the existing server work %s',
  async (where, play) => {
    await using played = await play();
    const { server, id } = played;
    expect(await botReadsStatus(server)).toMatchObject({
      isOnline: true,
      playerCount: 1,
      gogInviteCode: expect.stringMatching(/^G/),
    });
    await diagnosticsReads(server, id);

    using bot = await botChats(server);
    await played.playersSay('hello there');
    await bot.shows('Ann: hello there');
    bot.say('Someone', 'hello Ann');
    const { chatThere } = played;
    if (chatThere !== undefined)
      await eventually(async () => (await chatThere()).includes('(Web) Someone: hello Ann') || undefined, {
        missing: () => 'what the bot said is not in the game',
      });

    // Their members are all there; the status is the honest one, where theirs is 200.
    expect(await curl(server, 'POST', '/time?value=1300')).toMatchObject({
      http: 200,
      success: true,
      timeOfDay: 1300,
    });
    expect(await curl(server, 'POST', '/time?value=9')).toMatchObject({
      http: 400,
      success: false,
      error: expect.stringContaining('2600'),
    });
    expect(await curl(server, 'POST', '/rendering?fps=5')).toMatchObject({
      http: 200,
      success: true,
      fps: 5,
      previousFps: 0,
    });
    const admin = await curl(server, 'POST', '/roles/admin?name=ann');
    expect(admin).toMatchObject({ http: 200, success: true, playerName: 'Ann' });
    expect(admin.text).toContain(`"playerId":${id},`);
    expect(await curl(server, 'POST', '/roles/admin?name=nobody')).toMatchObject({
      http: 404,
      success: false,
      error: expect.stringMatching(/not found/i),
    });
    expect(await curl(server, 'DELETE', `/farmhands?playerId=${id}`)).toMatchObject({
      http: 409,
      success: false,
      error: expect.stringContaining('online'),
    });
    await played.leave();
    // They, too, try again: somebody who has just left may still be there for a moment.
    const deleted = await eventually(
      async () => {
        const answer = await curl(server, 'DELETE', `/farmhands?playerId=${id}`);
        return answer.http === 409 ? undefined : answer;
      },
      { missing: () => `farmhand ${id} never left` },
    );
    expect(deleted).toMatchObject({ http: 200, success: true });
    const theirs = await curl(server, 'POST', '/farmhands/release?playerId=1');
    expect(theirs.http).toBe(where === 'through the adapter' ? 501 : 404);
    const saving = await curl(server, 'POST', '/save');
    expect(saving).toMatchObject(
      where === 'through the adapter'
        ? { http: 501, error: expect.stringMatching(/: it saves at the end of each day$/) }
        : { http: 200, success: true },
    );
    const settings = await curl(server, 'POST', '/settings?maxPlayers=9');
    expect(settings.http).toBe(where === 'through the adapter' ? 501 : 200);
  },
  limitMs,
);
