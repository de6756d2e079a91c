import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { listens } from './nginx-front.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const readyMs = 60_000;
/** Where Caddy leaves the certificate of the authority that it makes for `tls internal`. */
const ownAuthority = 'caddy/pki/authorities/local/root.crt';

export interface Caddy extends AsyncDisposable {
  readonly port: number;
  /** Whom to trust for `tls internal`. */
  readonly ca: () => string;
}

/** Debian's Caddy, with these sites on a free port of this machine. */
export async function startCaddy(sites: (port: number) => string): Promise<Caddy> {
  const directory = temporaryDirectory();
  const port = await freePort();
  const file = join(directory.path, 'Caddyfile');
  // It listens on port 80 by itself and puts its authority among those of the machine, unless it is told not to.
  const options =
    '{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n  default_bind 127.0.0.1\n}\n';
  writeFileSync(file, `${options}${sites(port)}`);
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
    port,
    ca: () => readFileSync(join(directory.path, ownAuthority), 'utf8'),
    async [Symbol.asyncDispose]() {
      const gone = once(caddy, 'close');
      caddy.kill('SIGKILL');
      await gone;
      directory[Symbol.dispose]();
    },
  };
}

/** Caddy before a server on this machine, with its defaults. */
export async function startCaddyFront(
  upstreamPort: number,
): Promise<AsyncDisposable & { readonly http: string }> {
  const caddy = await startCaddy(
    (port) => `http://:${port} {\n  reverse_proxy 127.0.0.1:${upstreamPort}\n}\n`,
  );
  return {
    http: `http://127.0.0.1:${caddy.port}`,
    [Symbol.asyncDispose]: () => caddy[Symbol.asyncDispose](),
  };
}
