import { request } from 'node:http';
import { expect, it } from 'vitest';
import { testPlatform } from './clients/test-platform.ts';

it('is reached by its name: the proxy leads to the content servers under it, and nowhere else', async () => {
  const name = 'demo-platform';
  const platform = await testPlatform({ entrance: { host: '127.0.0.1', port: 0, name } });
  const { hostname, port } = new URL(platform.proxyUrl);
  expect(hostname).toBe(name);
  const { address } = platform.cdn.host('first');
  expect(address).toMatch(/^demo-platform:\d+$/);
  expect(await throughProxy(Number(port), `http://${address}/depot/1/chunk/0`)).toBe(404);
  expect(await throughProxy(Number(port), `http://${address.replace(name, 'another')}/depot/1/chunk/0`)).toBe(
    502,
  );
});

function throughProxy(port: number, url: string): Promise<number | undefined> {
  const { host } = new URL(url);
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: url, headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject).end();
  });
}
