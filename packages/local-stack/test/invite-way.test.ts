import type { Status } from '@steward/client';
import { recoversWithinMs } from '@steward/control-api/invites/limits';
import {
  exchangeMessage,
  hangUp,
  newClient,
  routeThrough,
} from '@steward/platform-auth/platform/library/steam-user-internals';
import { loadSteamUser } from '@steward/platform-auth/platform/library/steam-user-loading';
import { TunnelAgent } from '@steward/platform-auth/platform/tunnel-agent';
import { startPlatform } from '@steward/platform-emulator/platform';
import { trust } from '@steward/platform-emulator/trust';
import { expect, it } from 'vitest';
import { accounts, gameApp } from './stage/fast-sidecar.ts';
import { secret, WholeWay } from './whole-way/whole-way.ts';

const publicType = 2;
const serviceUnavailable = 20;
/** EMsg, EChatRoomEnterResponse and EConnectionProtocol. */
const joinLobby = 6603;
const entered = 1;
const webSocket = 2;

const hasBoth = ({ steamInviteCode, gogInviteCode }: Status) =>
  steamInviteCode !== undefined && gogInviteCode !== undefined;
const stepOf = ({ inviteWay }: Status, name: string) => inviteWay.find(({ step }) => step === name);

it(
  'brings both codes, brings them back after every loss, and keeps the G code for as long as its lobby lives',
  async () => {
    await using way = await WholeWay.start();
    const both = () => way.statusWhere(hasBoth, recoversWithinMs);
    const first = await both();
    expect(first.steamInviteCode?.slice(1)).toBe(first.gogInviteCode?.slice(1));
    expect(first.inviteWay.map(({ step, state }) => `${step} ${state}`)).toEqual([
      'sidecar ok',
      'login ok',
      'ticket ok',
      'network-sign-in ok',
      'network-lobby ok',
      'platform-lobby ok',
      'link ok',
      'codes ok',
    ]);
    // The game asked for friends-only at both sites.
    expect(way.listed).toMatchObject([{ type: publicType }]);
    await join(way, 'Abigail', 'stock', first.steamInviteCode, 'SN_');
    await join(way, 'Sam', 'test', first.gogInviteCode, 'GN_');

    /** The G code is there throughout, and the S code leads to the lobby that took the place of the lost one. */
    const survives = async (what: string, strike: () => Promise<void> | void) => {
      const [before] = way.listed;
      const told = way.codesTold.length;
      const struck = Date.now();
      await strike();
      const isLinkedAnew = (status: Status) => {
        const { state, since } = stepOf(status, 'link') ?? { state: 'absent', since: '' };
        return state === 'ok' && Date.parse(since) >= struck;
      };
      const same = ({ gogInviteCode }: Status) => expect(gogInviteCode, what).toBe(first.gogInviteCode);
      const after = await way.statusWhere(isLinkedAnew, recoversWithinMs, same);
      expect(after.steamInviteCode).toBe(first.steamInviteCode);
      expect(way.listed).toMatchObject([{ type: publicType }]);
      expect(way.listed[0]?.id).not.toBe(before?.id);
      // Nor was it gone between two answers.
      for (const line of way.codesTold.slice(told)) expect(line).toContain(first.gogInviteCode);
    };
    await survives('the sidecar is killed and started again', async () => {
      way.sidecar.kill('SIGKILL');
      await way.sidecar.exited;
      const isLost = (status: Status) => stepOf(status, 'sidecar')?.state === 'lost';
      const lost = await way.statusWhere(isLost, recoversWithinMs);
      expect(stepOf(lost, 'sidecar')?.reason).toContain('does not answer');
      expect(lost).toMatchObject({ gogInviteCode: first.gogInviteCode });
      expect(lost).not.toHaveProperty('steamInviteCode');
      way.startSidecar();
    });
    await survives('the platform ends the session', () => way.kick(serviceUnavailable));
    await survives('the platform closes the lobby', () => {
      for (const lobby of way.platform.lobbies.all) way.platform.lobbies.leave(lobby, lobby.owner);
    });

    way.platform.liftTicketCooldown();
    await way.farm('crash');
    await way.statusWhere(({ gogInviteCode }) => gogInviteCode === undefined, recoversWithinMs);
    const second = await both();
    expect(second.gogInviteCode).not.toBe(first.gogInviteCode);
    await join(way, 'Leah', 'stock', second.steamInviteCode, 'SN_');

    const metrics = await way.metrics();
    expect(metrics).toContain('steward_invite_code_works{prefix="S"} 1');
    expect(metrics).toMatch(/steward_invite_way_transitions_total\{step="sidecar",state="lost"\} 1\b/);
    expect(metrics).toMatch(
      /steward_sidecar_request_duration_seconds_count\{request="health",outcome="answered"\}/,
    );
    expect(way.controlApi.stdout.join('\n')).toMatch(/players join with the code S\w+ or G\w+/);
    expect(way.log).not.toContain(secret);
  },
  6 * recoversWithinMs,
);

it('has a place in the platform lobby for every player that the farm takes, beside the account that opened it', async () => {
  const names = Array.from({ length: 10 }, (_none, index) => `guest-${index}`);
  const guests = names.map((name) => ({ name, password: name, owns: [gameApp] }));
  await using platform = await startPlatform({ accounts: [...accounts, ...guests] });
  await using way = await WholeWay.start({ platform });
  const { maxPlayers } = await way.statusWhere(hasBoth, recoversWithinMs);
  expect(maxPlayers).toBe(guests.length);
  const lobbyId = way.listed[0]?.id;
  trust(platform);
  const library = await loadSteamUser();
  const { CMsgClientMMSJoinLobby: asks, CMsgClientMMSJoinLobbyResponse: answers } = library.messages;
  if (asks === undefined || answers === undefined) throw new Error('steam-user cannot join a lobby');
  const body = asks.encode(asks.fromObject({ app_id: gameApp, steam_id_lobby: lobbyId })).finish();
  const clients: ReturnType<typeof newClient>[] = [];
  try {
    // As the game's own clients do, which stay in the lobby for as long as they play.
    for (const name of names) {
      const client = newClient(library, {
        autoRelogin: false,
        renewRefreshTokens: false,
        dataDirectory: null,
        enablePicsCache: false,
        protocol: webSocket,
      });
      clients.push(client);
      // A browser session is of no use here.
      client.webLogOn = () => {};
      routeThrough(client, new TunnelAgent(platform.proxyUrl));
      await new Promise<void>((resolve, reject) => {
        client.on('loggedOn', () => resolve());
        client.on('error', reject);
        client.logOn({ refreshToken: platform.refreshToken(name), logonID: 1, machineName: name });
      });
      const answer = answers.decode(await exchangeMessage(client, joinLobby, gameApp, body));
      expect(answers.toObject(answer, {}), name).toMatchObject({ chat_room_enter_response: entered });
    }
  } finally {
    for (const client of clients) hangUp(client, 'at-once');
  }
});

async function join(
  way: WholeWay,
  name: string,
  client: 'stock' | 'test',
  code: string | undefined,
  prefix: string,
): Promise<void> {
  const answer = await way.farm('join', name, '--client', client, '--code', code ?? 'none');
  expect(answer).toContain(`over ${prefix}`);
}
