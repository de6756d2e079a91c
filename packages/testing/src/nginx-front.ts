import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { temporaryDirectory } from './temporary-directory.ts';

const readyMs = 60_000;

export interface NginxFront extends AsyncDisposable {
  readonly http: string;
  /** HTTP/2 for who speaks it, over TLS. */
  readonly https: string;
  readonly caFile: string;
}

export interface NginxFrontOptions {
  /** Compresses whatever it hands on. */
  readonly gzip?: boolean;
}

/** Debian's nginx before a server on this machine: with its defaults over HTTP, and handing bodies on unread over TLS. */
export async function startNginxFront(
  upstreamPort: number,
  { gzip = false }: NginxFrontOptions = {},
): Promise<NginxFront> {
  const directory = temporaryDirectory();
  const [plain, tls] = [await freePort(), await freePort()];
  const caFile = join(directory.path, 'certificate.pem');
  const keyFile = join(directory.path, 'key.pem');
  makeCertificate(caFile, keyFile, ['DNS:localhost', 'IP:127.0.0.1']);
  const configuration = join(directory.path, 'nginx.conf');
  writeFileSync(
    configuration,
    text({ directory: directory.path, upstreamPort, plain, tls, caFile, keyFile, gzip }),
  );
  const nginx = spawn('/usr/sbin/nginx', ['-p', directory.path, '-c', configuration, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  nginx.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const missing = () => `nginx does not listen: ${said}`;
  await eventually(async () => (await listens(tls)) || undefined, { withinMs: readyMs, missing });
  return {
    http: `http://127.0.0.1:${plain}`,
    https: `https://127.0.0.1:${tls}`,
    caFile,
    async [Symbol.asyncDispose]() {
      const gone = once(nginx, 'close');
      nginx.kill('SIGTERM');
      await gone;
      directory[Symbol.dispose]();
    },
  };
}

interface Places {
  readonly directory: string;
  readonly upstreamPort: number;
  readonly plain: number;
  readonly tls: number;
  readonly caFile: string;
  readonly keyFile: string;
  readonly gzip: boolean;
}

function text({ directory, upstreamPort, plain, tls, caFile, keyFile, gzip }: Places): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/${name};`)
    .join('\n  ');
  return `daemon off;
master_process off;
pid ${directory}/pid;
events {}
http {
  access_log off;
  ${gzip ? 'gzip on; gzip_types *; gzip_proxied any;' : ''}
  ${temporary}
  server {
    listen 127.0.0.1:${plain};
    location / { proxy_pass http://127.0.0.1:${upstreamPort}; }
  }
  server {
    listen 127.0.0.1:${tls} ssl http2;
    ssl_certificate ${caFile};
    ssl_certificate_key ${keyFile};
    location / {
      proxy_pass http://127.0.0.1:${upstreamPort};
      proxy_http_version 1.1;
      proxy_request_buffering off;
    }
  }
}
`;
}

/** Has openssl make a certificate that is its own authority, for these names and addresses (`DNS:localhost`, `IP:127.0.0.1`). */
export function makeCertificate(certificateFile: string, keyFile: string, names: readonly string[]): void {
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-days', '2'];
  const name = ['-subj', '/CN=localhost', '-addext', `subjectAltName=${names.join(',')}`];
  execFileSync('openssl', ['req', ...kind, ...name, '-keyout', keyFile, '-out', certificateFile], {
    stdio: 'ignore',
  });
}

export function listens(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
