import { expect, it } from 'vitest';
import { catchUpMs } from '../../src/events/outbox.ts';
import { dayStarted, said, streamStage } from './stage/stream-stage.ts';

const long = 'x'.repeat(1_000);
const chatLimits = { unreadBytes: 256 * 1024 };

it('drops a reader that does not read, and delays nobody for it', async () => {
  await using stage = await streamStage({ chatLimits });
  const slow = await stage.read();
  slow.response.pause();
  const other = await stage.read();
  // More than the machine holds for a socket by itself.
  for (let line = 0; line < 20_000; line += 1) {
    stage.tell(said(`${line} ${long}`));
    if (line % 100 === 99) await other.until(() => other.heard.length > line);
    if (line % 1_000 === 999 && (await dropped()) > 0) break;
  }
  expect(await dropped()).toBe(1);
  stage.tell(dayStarted(1));
  await other.until(() => other.types.at(-1) === 'farm.dayStarted');

  function dropped(): Promise<number> {
    return stage.metric('steward_events_slow_readers_total{door="stream"}');
  }
});

it('drops a reader that has not taken what it missed in time, and it goes on from there where it comes back', async () => {
  await using stage = await streamStage({ chatLimits });
  const { head } = stage.events;
  for (let line = 0; line < 7_000; line += 1) stage.tell(said(`${line} ${long}`));
  const slow = await stage.read({ query: `?after=${head}` });
  slow.response.pause();
  stage.api.clock.advance(catchUpMs);
  expect(await stage.metric('steward_events_slow_readers_total{door="stream"}')).toBe(1);
  slow.response.resume();
  await slow.over;
  const taken = slow.items.length;
  expect(taken).toBeLessThan(7_000);
  const again = await stage.read({ headers: { 'last-event-id': slow.lastEventId } });
  await again.until(() => again.heard.length === 7_000 - taken);
  const lines = [...slow.items, ...again.items].map(({ data }) =>
    Number(String(data['message']).split(' ')[0]),
  );
  expect(lines).toEqual([...Array(7_000).keys()]);
});

it('writes a long past no faster than it is read, with the present behind it', async () => {
  await using stage = await streamStage({ chatLimits });
  const { head } = stage.events;
  for (let line = 0; line < 6_000; line += 1) stage.tell(said(`${line} ${long}`));
  const reader = await stage.read({ query: `?after=${head}` });
  reader.response.pause();
  stage.tell(dayStarted(1));
  stage.api.clock.advance(15_000);
  reader.response.resume();
  await reader.until(() => reader.types.at(-1) === 'farm.dayStarted');
  const lines = reader.items.slice(0, -1).map(({ data }) => Number(String(data['message']).split(' ')[0]));
  expect(lines).toEqual([...Array(6_000).keys()]);
});

it('lets a reader that is behind read on to the end when the service stops', async () => {
  await using stage = await streamStage({ chatLimits: { unreadBytes: 64 * 1024 * 1024 } });
  const slow = await stage.read();
  slow.response.pause();
  const other = await stage.read();
  // More than the machine holds for a socket by itself.
  const count = 12_000;
  for (let line = 0; line < count; line += 1) {
    stage.tell(said(`${line} ${long}`));
    if (line % 1_000 === 999) await other.until(() => other.heard.length > line);
  }
  const closing = stage.api.app.close();
  await other.over;
  slow.response.resume();
  await slow.over;
  await closing;
  const lines = slow.items.map(({ data }) => Number(String(data['message']).split(' ')[0]));
  expect(lines).toEqual([...Array(count).keys()]);
});
