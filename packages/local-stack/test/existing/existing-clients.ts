import { expect } from 'vitest';
import { WebSocket } from 'ws';

/** What a client of the existing server knows of a server: where it is, and the key. */
export interface Server {
  readonly origin: string;
  readonly key: string;
}

type Members = Record<string, unknown>;

async function read({ origin, key }: Server, path: string): Promise<{ text: string; body: Members }> {
  const answer = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${key}` } });
  // Anything else is "offline" to them.
  expect([path, answer.status]).toEqual([path, 200]);
  const text = await answer.text();
  return { text, body: JSON.parse(text) as Members };
}

/** The chat bot's dashboard: these members with these types, and what it calls on them. */
export async function botReadsStatus(server: Server): Promise<Members> {
  const { body } = await read(server, '/status');
  const kinds = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, typeof value]));
  expect(kinds).toMatchObject({
    isOnline: 'boolean',
    isPaused: 'boolean',
    isReady: 'boolean',
    dayTransitionComplete: 'boolean',
    playerCount: 'number',
    maxPlayers: 'number',
    day: 'number',
    year: 'number',
    timeOfDay: 'number',
    version: 'number',
    farmName: 'string',
    farmTypeKey: 'string',
    season: 'string',
    serverVersion: 'string',
    gameVersion: 'string',
    lastUpdated: 'string',
  });
  expect(Object.values(body)).not.toContain(null);
  expect(Date.parse(String(body['lastUpdated']))).not.toBeNaN();
  const stats = await read(server, '/stats');
  for (const name of ['tps', 'fps', 'avgTickMs', 'memoryMb'])
    expect((stats.body[name] as number).toFixed(1), name).toMatch(/^\d+\.\d$/);
  return body;
}

/** The diagnostics tool joins its lists on the ids' text, which therefore must be the same digits everywhere. */
export async function diagnosticsReads(server: Server, id: string): Promise<void> {
  const players = await read(server, '/players');
  const farmhands = await read(server, '/farmhands');
  const cabins = await read(server, '/cabins');
  expect(players.text).toContain(`"id":${id},`);
  expect(farmhands.text).toContain(`"id":${id},`);
  expect(cabins.text).toContain(`"ownerId":${id},`);
  expect((players.body['players'] as Members[])[0]).toMatchObject({
    name: expect.any(String),
    isOnline: true,
  });
  expect((farmhands.body['farmhands'] as Members[])[0]).toMatchObject({
    name: expect.any(String),
    isCustomized: expect.any(Boolean),
  });
  const { totalCount, assignedCount, availableCount, cabins: each } = cabins.body;
  expect(totalCount).toBe(Number(assignedCount) + Number(availableCount));
  expect(each).toHaveLength(Number(totalCount));
  const health = await fetch(`${server.origin}/health`);
  expect(await health.json()).toMatchObject({ status: 'ok', isFrozen: false, tickCount: expect.any(Number) });
  const { body: settings } = await read(server, '/settings');
  expect(settings).toMatchObject({
    game: { farmName: expect.any(String), spawnMonstersAtNight: expect.any(String) },
    server: { maxPlayers: expect.any(Number), cabinStrategy: expect.any(String) },
  });
  expect((await read(server, '/invite-code')).body).toEqual({ inviteCode: expect.stringMatching(/^[SG]/) });
  expect((await read(server, '/rendering')).body).toEqual({ fps: expect.any(Number) });
}

/** As `curl -X` sends it: no body. What they look for in the answer, whatever its status: `success`, `error`. */
export async function curl({ origin, key }: Server, method: string, path: string) {
  const answer = await fetch(`${origin}${path}`, { method, headers: { authorization: `Bearer ${key}` } });
  const text = await answer.text();
  return { http: answer.status, text, ...(JSON.parse(text) as { success: boolean; error?: string }) };
}

/** The bot's socket: it authenticates on open, ignores what it does not know, and shows lines with a name and a text. */
export async function botChats({ origin, key }: Server) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`);
  const shown: string[] = [];
  let isAuthenticated = false;
  const waiting = new Set<() => void>();
  socket.on('open', () => socket.send(JSON.stringify({ type: 'auth', payload: { token: key } })));
  socket.on('message', (data) => {
    const { type, payload } = JSON.parse(String(data)) as { type: string; payload?: Members };
    if (type === 'auth_success') isAuthenticated = true;
    const { playerName, message, timestamp } = payload ?? {};
    if (type === 'chat' && isAuthenticated && playerName && message) {
      expect(Date.parse(String(timestamp))).not.toBeNaN();
      shown.push(`${playerName}: ${message}`);
    }
    for (const look of waiting) look();
  });
  const until = (wanted: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!wanted()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  await until(() => isAuthenticated);
  return {
    shows: (line: string) => until(() => shown.includes(line)),
    say: (author: string, message: string) =>
      socket.send(JSON.stringify({ type: 'chat_send', payload: { author, message } })),
    [Symbol.dispose]: () => socket.terminate(),
  };
}
