import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ExistingWorld } from './existing/existing-world.ts';

const serviceUnavailable = 20;
const roundedByJavaScript = '620826087702429092';
const limitMs = 120_000;

const namesOf = (players: unknown) => (players as { name: string }[]).map(({ name }) => name);
const isLive = ({ game }: Record<string, unknown>) => (game as { status: string }).status === 'live';

it(
  'serves the existing server’s mod below and its clients above, through losses of each part',
  async () => {
    await using world = await ExistingWorld.start();
    const hasBoth = ({ steamInviteCode, gogInviteCode }: Record<string, unknown>) =>
      steamInviteCode !== undefined && gogInviteCode !== undefined;
    // The sidecar is looked at by a clock of its own, and may be seen to log in while the codes are there already.
    const isSettled = (status: Record<string, unknown>) =>
      hasBoth(status) && JSON.stringify(status['inviteWay']).includes('"step":"login","state":"ok"');

    // Its own ticket and lobby calls are answered by our sidecar, and its codes shown by our API.
    const { steamInviteCode, gogInviteCode, ...status } = await world.until('/status', isSettled);
    expect(String(steamInviteCode).slice(1)).toBe(String(gogInviteCode).slice(1));
    await world.double?.line(/no refresh token: .*403/);
    expect(world.listed).toHaveLength(1);
    const states = (status['inviteWay'] as { step: string; state: string }[]).map(
      ({ step, state }) => `${step} ${state}`,
    );
    expect(states).toEqual([
      ...['sidecar ok', 'login ok', 'ticket off', 'network-sign-in off', 'network-lobby off'],
      ...['platform-lobby off', 'link off', 'codes ok'],
    ]);
    expect(status).toMatchObject({
      isJoinable: true,
      obstacles: [],
      capabilities: [
        ...['deleteFarmhand', 'farms', 'grantAdmin', 'loadFarm', 'newFarm'],
        ...['screenshot', 'sendChat', 'setRenderRate', 'setTime'],
      ],
    });
    expect((await world.ask('GET', '/invite-code')).body).toEqual({ inviteCode: steamInviteCode });
    expect((await world.ask('GET', '/metrics')).text).toContain('steward_invite_code_works{prefix="S"} 1');
    expect(existsSync(world.settingsPath), 'the settings file is not ours to make').toBe(false);

    const settings = await world.ask('GET', '/settings');
    const { game, server, ...more } = settings.body;
    expect(settings.headers.get('x-snapshot-age-ms'), 'another server’s are as old as they are').toMatch(
      /^\d+$/,
    );
    expect({ game, server }).toEqual(await world.theirs('/settings'));
    expect(more).toEqual({ waiting: { newGame: [], restart: [] } });

    // Chat crosses both ways.
    expect(await world.order('join Ann')).toBe(roundedByJavaScript);
    using bot = world.chat();
    await bot.until(({ type }) => type === 'auth_success');
    await world.untilSeen('/players', ({ players }) => (players as unknown[]).length === 1);
    await world.order('say Ann hello there');
    expect(await bot.until(({ type }) => type === 'chat')).toMatchObject({
      payload: { playerName: 'Ann', message: 'hello there' },
    });
    bot.say({ author: 'Bot', message: 'hello Ann', id: '1' });
    expect(await bot.until(({ type }) => type === 'chat_sent')).toMatchObject({
      payload: { id: '1', status: 'delivered' },
    });
    expect(await world.order('chat')).toContain('(Web) Bot: hello Ann');

    // The platform drops the session; the mod finds its lobby gone by the text that it knows, and makes another.
    const [lobby] = world.listed;
    world.kick(serviceUnavailable);
    await world.until('/status', ({ inviteWay }) =>
      JSON.stringify(inviteWay).includes('"login","state":"ok"'),
    );
    await world.order('tell farmName Hill');
    await world.double?.line(/the platform lobby was gone/);
    expect(world.listed).toHaveLength(1);
    expect(world.listed[0]?.id).not.toBe(lobby?.id);
    expect((await world.ask('GET', '/status')).body).toMatchObject({ steamInviteCode, gogInviteCode });

    // Nobody's name is taken for what that server says.
    for (const name of ['Timeout', 'online', 'Deletion timed out'])
      expect([name, (await world.ask('DELETE', `/farmhands?name=${name}`)).code]).toEqual([name, 404]);

    // What that server does by itself is said, and where.
    for (const [path, where] of [
      ['/announcements?message=hello', /POST \/chat/],
      ['/players/kick?name=Ann', /`!kick`/],
      ['/bans?name=Ann', /`!ban`/],
      ['/allowlist?name=Ann', /`!ban`/],
    ] as const) {
      const { code, body } = await world.ask('POST', path);
      expect([code, body]).toEqual([501, expect.objectContaining({ error: expect.stringMatching(where) })]);
    }

    // A farmhand goes by exactly its id.
    await world.order('join Bob');
    await world.order('leave Ann');
    await world.untilSeen('/players', ({ players }) => namesOf(players).join() === 'Bob');
    const deleted = await world.ask('DELETE', `/farmhands?playerId=${roundedByJavaScript}`);
    expect(deleted.body).toMatchObject({ success: true, playerId: BigInt(roundedByJavaScript) });
    expect(await world.order('ids')).toEqual(['620826087702429093', '620826087702429094']);

    // A game that hangs is seen and named, one that is killed and comes back is followed again.
    await world.order('freeze');
    await world.until('/health', ({ game }) => (game as { status: string }).status === 'frozen');
    expect((await world.ask('POST', '/time?value=900')).body).toMatchObject({ retry: true });
    await world.order('thaw');
    await world.until('/health', isLive);
    world.double?.kill('SIGKILL');
    await world.double?.exited;
    await world.until(
      '/status',
      ({ isOnline, steamInviteCode: code }) => isOnline === false && code === undefined,
    );
    await world.startDouble();
    await world.until('/status', hasBoth);
    expect((await world.ask('POST', '/time?value=1230')).body).toMatchObject({
      success: true,
      timeOfDay: 1230,
    });
  },
  limitMs,
);
