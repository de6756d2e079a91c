import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Compose, mounts } from './images/compose.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const compose: Compose = parse(read('docker-compose.yml'), { merge: true });
const [, snippet = ''] =
  /## What reaches a container\n[\s\S]*?```yaml\n([\s\S]*?)```/.exec(read('docs/configuration.md')) ?? [];

it('docs/configuration.md shows how a file of a key, a certificate and a variable of the game reach a container', () => {
  const { server } = (parse(snippet) as Compose).services;
  const { API_KEY_FILE: key, NODE_EXTRA_CA_CERTS: certificate, ...own } = server.environment ?? {};
  expect(mounts(server).map(({ target, mode }) => [target, mode])).toEqual([
    [key, 'ro'],
    [certificate, 'ro'],
  ]);
  const listed = Object.keys(compose.services.server.environment ?? {});
  expect(listed).toContain('API_KEY_FILE');
  expect(Object.keys(own)).toHaveLength(1);
  expect(listed).not.toContain(Object.keys(own)[0]);
});

it.each(['sidecar', 'webhooks', 'game-in-docker'])(
  'docs/%s.md, which names a variable that .env does not bring into a container, says where to set it',
  (page) => {
    expect(read(`docs/${page}.md`)).toContain('(configuration.md#what-reaches-a-container)');
  },
);

it('docs/sidecar.md has the certificate of a proxy mounted with Docker: the image has none of a system to use', () => {
  const [told = ''] = /^A proxy that reads the traffic .*?\n\n/ms.exec(read('docs/sidecar.md')) ?? [];
  expect(told).toMatch(/With Docker, mount the certificate and set this variable in \[a `docker-compose/);
  expect(told).toMatch(/Without Docker, .*`NODE_USE_SYSTEM_CA=1` is enough; in the images it does nothing/s);
});
