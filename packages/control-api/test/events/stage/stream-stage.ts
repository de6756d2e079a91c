import type { StewardEvent } from '@steward/shared/events/event-data';
import { openApi, type StageOptions } from '../../api/stage/open-api.ts';
import { type ReaderOptions, StreamReader } from './stream-reader.ts';

export const joined: StewardEvent = {
  type: 'players.joined',
  data: {
    playerId: '620826087702429092',
    playerName: 'Ann',
    door: 'network-p2p',
    connectionId: 'GN_46265193014',
  },
};

/** The day is a number to know it by. */
export function dayStarted(day: number): StewardEvent {
  return { type: 'farm.dayStarted', data: { day, season: 'spring', year: 1 } };
}

export function said(message: string): StewardEvent {
  return { type: 'chat.said', data: { playerId: '5512', playerName: 'Ann', message } };
}

/** The service, listening, with those who read its stream. */
export async function streamStage(options: StageOptions = {}) {
  const api = await openApi({ game: false, ...options });
  const { port } = await api.listen();
  const readers: StreamReader[] = [];
  return {
    api,
    port,
    events: api.bridge.events,
    /** Returns its cursor. */
    tell: (event: StewardEvent) => api.bridge.events.append(event).cursor,
    async read(asked: ReaderOptions = {}): Promise<StreamReader> {
      const reader = await StreamReader.open(port, asked);
      readers.push(reader);
      return reader;
    },
    /** Of the document of metrics, the line that begins so. */
    async metric(line: string): Promise<number> {
      const { body } = await api.ask('GET', '/metrics', { key: options.key ?? null });
      const found = body.split('\n').find((each) => each.startsWith(`${line} `));
      return Number(found?.split(' ').at(-1));
    },
    async [Symbol.asyncDispose]() {
      for (const reader of readers) reader[Symbol.dispose]();
      await api[Symbol.asyncDispose]();
    },
  };
}
