import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryDirectory } from './temporary-directory.ts';

const run = promisify(execFile);

const json = 'Content-Type: application/json';
const patienceSeconds = '10';

export interface ClientRequest {
  readonly method: string;
  readonly url: string;
  /** Sent as JSON; without one, the clients send nothing, by every way that they have of doing so. */
  readonly body?: object;
}

export interface ClientOutcome extends Pick<ClientRequest, 'method' | 'url'> {
  readonly way: string;
  /** 0 where there was no answer. */
  readonly status: number;
  readonly body: string;
}

export interface ClientOptions {
  readonly authorization?: string;
  /** Whom to trust beyond the machine's own list, as PEM. */
  readonly caFile?: string;
}

type Ways = Readonly<Record<string, readonly string[]>>;

/** Sends the requests as the HTTP clients that people use do by default, and tells what became of each. */
export async function sendByAllClients(
  requests: readonly ClientRequest[],
  { authorization, caFile }: ClientOptions = {},
): Promise<readonly ClientOutcome[]> {
  using directory = temporaryDirectory();
  const env = { PATH: process.env['PATH'], ...trusting(caFile, directory.path) };
  const auth = authorization === undefined ? {} : { Authorization: authorization };
  const header = authorization === undefined ? [] : [`Authorization: ${authorization}`];
  const given = JSON.stringify(requests.map((request) => ({ ...request, auth })));
  const byProgram = async (program: string, file: string) => {
    const path = fileURLToPath(new URL(`../clients/${file}`, import.meta.url));
    const { stdout } = await run(program, [path, given], { env, maxBuffer: Number.POSITIVE_INFINITY });
    return stdout
      .trim()
      .split('\n')
      .map((line): ClientOutcome => JSON.parse(line));
  };
  const byCommands = async (waysOf: (request: ClientRequest) => Ways, fixed: readonly string[]) => {
    const outcomes: ClientOutcome[] = [];
    for (const request of requests)
      for (const [way, [command = '', ...args]] of Object.entries(waysOf(request))) {
        const output = await run(command, [...fixed, ...args, request.url], { env }).catch((error) => error);
        const { method, url } = request;
        outcomes.push({ way, method, url, ...statusAndBody(output) });
      }
    return outcomes;
  };
  const all = await Promise.all([
    byCommands(
      (request) => curlWays(request),
      ['-sS', '-i', '-m', patienceSeconds, ...header.flatMap((each) => ['-H', each])],
    ),
    byCommands(
      (request) => wgetWays(request),
      [
        ...['-q', '-O', '-', '--save-headers', '--content-on-error', '-t', '1', '-T', patienceSeconds],
        ...header.map((each) => `--header=${each}`),
      ],
    ),
    byProgram(process.execPath, 'node-clients.mjs'),
    byProgram('/usr/bin/python3', 'python_clients.py'),
  ]);
  return all.flat();
}

function curlWays({ method, body }: ClientRequest): Ways {
  const curl = ['curl', '-X', method];
  if (body !== undefined) return { 'curl with JSON': [...curl, '-H', json, '-d', JSON.stringify(body)] };
  return {
    curl,
    'curl with a default JSON header': [...curl, '-H', json],
    "curl -d ''": [...curl, '-d', ''],
    "curl -d '' as JSON": [...curl, '-H', json, '-d', ''],
    'curl with {}': [...curl, '--json', '{}'],
    'curl with no chunk': [...curl, '-H', 'Transfer-Encoding: chunked', '-d', ''],
    'curl that asks first': [...curl, '-H', 'Expect: 100-continue', '-d', '{}'],
    'curl with an empty file': [...curl, '-T', '/dev/null'],
  };
}

function wgetWays({ method, body }: ClientRequest): Ways {
  const wget = ['wget', `--method=${method}`];
  if (body !== undefined)
    return { 'wget with JSON': [...wget, `--header=${json}`, `--body-data=${JSON.stringify(body)}`] };
  return {
    wget,
    'wget with a default JSON header': [...wget, `--header=${json}`],
    'wget with empty data': [...wget, '--body-data='],
    'wget with {}': [...wget, `--header=${json}`, '--body-data={}'],
    ...(method === 'POST' ? { "wget --post-data=''": ['wget', '--post-data='] } : {}),
  };
}

/** The last head and what follows it; before that there may be a 100 Continue. */
function statusAndBody({ stdout, stderr }: { stdout: string; stderr: string }): {
  status: number;
  body: string;
} {
  const text = stdout.replaceAll('\r\n', '\n').replace(/^HTTP\/\S+ 100 .*\n(?:.+\n)*\n/, '');
  const [, status = '0'] = /^HTTP\/\S+ (\d{3})/.exec(text) ?? [];
  const end = text.indexOf('\n\n');
  return { status: Number(status), body: end < 0 ? `${stdout}${stderr}` : text.slice(end + 2) };
}

/** Each client's own way of being told whom to trust. */
function trusting(caFile: string | undefined, directory: string): Record<string, string> {
  if (caFile === undefined) return {};
  const wgetrc = join(directory, 'wgetrc');
  writeFileSync(wgetrc, `ca_certificate = ${caFile}\n`);
  return {
    CURL_CA_BUNDLE: caFile,
    WGETRC: wgetrc,
    NODE_EXTRA_CA_CERTS: caFile,
    SSL_CERT_FILE: caFile,
    REQUESTS_CA_BUNDLE: caFile,
  };
}
