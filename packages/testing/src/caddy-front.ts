import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { listens } from './nginx-front.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const readyMs = 10_000;

/** Debian's Caddy before a server on this machine, with its defaults. */
export async function startCaddyFront(
  upstreamPort: number,
): Promise<AsyncDisposable & { readonly http: string }> {
  const directory = temporaryDirectory();
  const port = await freePort();
  const file = join(directory.path, 'Caddyfile');
  writeFileSync(
    file,
    `{\n  admin off\n}\nhttp://:${port} {\n  bind 127.0.0.1\n  reverse_proxy 127.0.0.1:${upstreamPort}\n}\n`,
  );
  const caddy = spawn('/usr/bin/caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { HOME: directory.path, XDG_DATA_HOME: directory.path, XDG_CONFIG_HOME: directory.path },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  caddy.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const missing = () => `Caddy does not listen: ${said}`;
  await eventually(async () => (await listens(port)) || undefined, { withinMs: readyMs, missing });
  return {
    http: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const gone = once(caddy, 'close');
      caddy.kill('SIGKILL');
      await gone;
      directory[Symbol.dispose]();
    },
  };
}
