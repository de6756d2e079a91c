import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { SteamUser } from './steam-user.ts';

const require = createRequire(import.meta.url);

interface Codec {
  fromObject(body: object): object;
  encode(message: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
  toObject(message: object, options: object): Record<string, unknown>;
}
// The library's own schemas and numbers: it ships what lobbies need, without methods for them.
const schemas: Record<string, Codec> = require('steam-user/protobufs/generated/_load.js');
const numbers: Record<string, number> = require('steam-user/enums/EMsg.js');

/** One lobby call over the client's own connection, its answer with 64-bit ids as strings. */
export function lobbyCall(
  client: SteamUser,
  name: string,
  request: { app_id: number; [field: string]: unknown },
  answerName = `${name}Response`,
): Promise<Record<string, unknown>> {
  const [asks, answers] = [schemas[`CMsg${name}`], schemas[`CMsg${answerName}`]];
  const message = numbers[name];
  if (asks === undefined || answers === undefined || message === undefined) throw new Error(`no ${name}`);
  const body = Buffer.from(asks.encode(asks.fromObject(request)).finish());
  return new Promise((resolve) => {
    client._send({ msg: message, proto: { routing_appid: request.app_id } }, body, (answer) => {
      resolve(answers.toObject(answers.decode(answer.toBuffer()), { longs: String, arrays: true }));
    });
  });
}

/** The next message of a kind that nobody asked for. */
export async function unasked(client: SteamUser, name: string): Promise<Record<string, unknown>> {
  const type = schemas[`CMsg${name}`];
  const [bytes] = await once(client, `arrived ${name}`, { signal: AbortSignal.timeout(10_000) });
  if (type === undefined) throw new Error(`no ${name}`);
  return type.toObject(type.decode(bytes), { longs: String, arrays: true });
}

/** Lets `unasked` see what arrives: steam-user passes over lobby messages, but shows all of its traffic. */
export function watchLobbyTraffic(client: SteamUser): void {
  client.on('debug-traffic-incoming', (frame: Buffer, message: number) => {
    const name = Object.keys(numbers).find((each) => numbers[each] === message);
    const bodyStart = 8 + frame.readUInt32LE(4);
    client.emit(`arrived ${name}`, frame.subarray(bodyStart));
  });
}
