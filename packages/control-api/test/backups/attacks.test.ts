import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { collector } from '@steward/service-kit/process/collector';
import { backupFileEnds } from '@steward/shared/backups';
import { eventually } from '@steward/testing/eventually';
import { rawExchange } from '@steward/testing/raw-exchange';
import { expect, it } from 'vitest';
import { backupPlaces } from '../api/stage/left-backups.ts';
import { openApi, testKey } from '../api/stage/open-api.ts';

const id = '20261114T120000Z-000000';
const secret = 'what lies elsewhere';

it('no id leads out of BACKUP_DIR: nothing is read, restored or deleted there', async () => {
  await using api = await openApi({
    key: testKey,
    leftBackups: [{ id, madeAt: '2026-11-14T12:00:00.000Z' }],
  });
  const { BACKUP_DIR } = backupPlaces(api.directory);
  const other = join(BACKUP_DIR, '..', `${id}${backupFileEnds}`);
  const hidden = join(BACKUP_DIR, `.${id}${backupFileEnds}`);
  mkdirSync(join(BACKUP_DIR, 'below'));
  const elsewhere = [other, hidden, join(BACKUP_DIR, 'below', `${id}${backupFileEnds}`)];
  for (const path of elsewhere) writeFileSync(path, secret);
  using client = await api.listen();
  const ids = [
    '../',
    '..%2f',
    '%2e%2e%2f',
    '..%5c',
    'below/',
    'below%2f',
    '.',
    './',
    '%00',
    `${BACKUP_DIR}/../`,
  ].map((way) => `${way}${id}`);
  for (const way of [...ids, '..', '%2e%2e', '*', `${id}%00`, `${id}${backupFileEnds}`, `${id}/../../x`]) {
    for (const line of [
      `GET /backups/${way}/file`,
      `DELETE /backups?id=${way}`,
      `POST /backups/restore?id=${way}`,
    ]) {
      const asked = `${line} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${testKey}\r\nconnection: close\r\n\r\n`;
      const { status, everything } = await rawExchange(client.port, asked);
      expect([line, status]).toEqual([line, expect.toSatisfy((one) => [400, 404, 405].includes(one))]);
      expect(everything).not.toContain(secret);
    }
  }
  for (const path of elsewhere) expect(readFileSync(path, 'utf8')).toBe(secret);
});

it('what lies in BACKUP_DIR under a backup’s name, and is no file, keeps nobody waiting', async () => {
  await using api = await openApi({
    key: testKey,
    leftBackups: [{ id, madeAt: '2026-11-14T12:00:00.000Z' }],
  });
  const { BACKUP_DIR } = backupPlaces(api.directory);
  const pipe = '20261115T120000Z-000000';
  execFileSync('mkfifo', [join(BACKUP_DIR, `${pipe}${backupFileEnds}`)]);
  mkdirSync(join(BACKUP_DIR, `20261116T120000Z-000000${backupFileEnds}`));
  const { exact } = await api.ask('GET', '/backups');
  expect(exact).toMatchObject({ backups: [{ id }] });
  expect((await api.ask('GET', `/backups/${pipe}/file`)).statusCode).toBe(404);
});

/** As many descriptors of this process are open on the file. */
function timesOpen(path: string): number {
  return readdirSync('/proc/self/fd').filter((each) => linkOf(`/proc/self/fd/${each}`) === path).length;
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // Closed since it was listed.
    return undefined;
  }
}

it('a crowd that downloads a backup and reads nothing holds little of it, is cut off, and keeps nobody waiting', async () => {
  const crowd = 50;
  // Of 64 MB.
  const heldByOne = 4 * 1024 * 1024;
  await using api = await openApi({
    key: testKey,
    leftBackups: [{ id, madeAt: '2026-11-14T12:00:00.000Z' }],
  });
  const path = join(backupPlaces(api.directory).BACKUP_DIR, `${id}${backupFileEnds}`);
  // More than the buffers of both sides' sockets hold.
  truncateSync(path, 64 * 1024 * 1024);
  using client = await api.listen();
  const accepted: Socket[] = [];
  api.app.server.on('connection', (socket: Socket) => accepted.push(socket));
  const collect = collector();
  const arrayBuffersHeld = () => {
    // What nobody holds any more counts for nothing. What one collection finds is freed beside it, and before the next.
    collect();
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const before = arrayBuffersHeld();
  const sockets = Array.from({ length: crowd }, () => {
    const socket = connect(client.port, '127.0.0.1').on('error', () => {});
    socket.pause();
    socket.write(`GET /backups/${id}/file HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${testKey}\r\n\r\n`);
    return socket;
  });
  await eventually(async () => timesOpen(path) === crowd || undefined, {
    missing: () => `${timesOpen(path)} read the file`,
  });
  const ofCrowd = [...accepted];
  expect((await api.ask('GET', '/status', { client })).statusCode).toBe(200);
  expect(arrayBuffersHeld() - before).toBeLessThan(crowd * heldByOne);
  // As the server does by itself, after longer.
  expect(ofCrowd.map(({ timeout }) => timeout)).toEqual(Array<number>(crowd).fill(api.app.server.timeout));
  for (const socket of ofCrowd) socket.setTimeout(100);
  await eventually(async () => timesOpen(path) === 0 || undefined, {
    missing: () => `${timesOpen(path)} still read the file`,
  });
  expect((await api.ask('GET', '/status', { client })).statusCode).toBe(200);
  for (const socket of sockets) socket.destroy();
});
