import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
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

/** The HTTP clients that people use, as they are by default. */
export class HttpClients implements AsyncDisposable {
  readonly #directory = temporaryDirectory();
  readonly #authorization: string | undefined;
  readonly #env: NodeJS.ProcessEnv;
  readonly #programs: readonly ClientProgram[];

  constructor({ authorization, caFile }: ClientOptions = {}) {
    this.#authorization = authorization;
    this.#env = { PATH: process.env['PATH'], ...trusting(caFile, this.#directory.path) };
    this.#programs = [
      new ClientProgram(process.execPath, 'node-clients.mjs', this.#env),
      new ClientProgram('/usr/bin/python3', 'python_clients.py', this.#env),
    ];
  }

  /** Sends the requests by each of them, and tells what became of each. */
  async send(requests: readonly ClientRequest[]): Promise<readonly ClientOutcome[]> {
    const auth = this.#authorization === undefined ? {} : { Authorization: this.#authorization };
    const header = Object.entries(auth).map(([name, value]) => `${name}: ${value}`);
    const given = requests.map((request) => ({ ...request, auth }));
    const all = await Promise.all([
      byCurl(requests, header, this.#env),
      byWget(requests, header, this.#env),
      ...this.#programs.map((program) => program.send(given)),
    ]);
    return all.flat();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const program of this.#programs) await program[Symbol.asyncDispose]();
    this.#directory[Symbol.dispose]();
  }
}

/** The clients of one language: their libraries take longer to load than to send with, so one process sends whatever comes. */
class ClientProgram implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #lines: AsyncIterator<string>;
  readonly #complaint: Promise<string>;

  constructor(program: string, file: string, env: NodeJS.ProcessEnv) {
    const path = fileURLToPath(new URL(`../clients/${file}`, import.meta.url));
    const child = spawn(program, [path], { env });
    this.#child = child;
    this.#exited = once(child, 'close');
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    this.#complaint = text(child.stderr);
  }

  /** A line for each outcome, and an empty one behind the last. */
  async send(given: readonly object[]): Promise<readonly ClientOutcome[]> {
    this.#child.stdin?.write(`${JSON.stringify(given)}\n`);
    const outcomes: ClientOutcome[] = [];
    for (;;) {
      const { value: line, done } = await this.#lines.next();
      if (done) throw new Error(`the clients have ended: ${await this.#complaint}`);
      if (line === '') return outcomes;
      outcomes.push(JSON.parse(line));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await this.#exited;
  }
}

/** One process sends all, with the options of each its own: to begin takes a process longer than to send. */
async function byCurl(
  requests: readonly ClientRequest[],
  header: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<readonly ClientOutcome[]> {
  const sent = requests.flatMap((request) =>
    Object.entries(curlWays(request)).map(([way, options]) => ({ ...request, way, options })),
  );
  const always = ['-sS', '-i', '-m', patienceSeconds, ...header.flatMap((each) => ['-H', each])];
  const words = sent.map(({ options, url }, place) => [...always, ...options, '-o', `${place}.out`, url]);
  using outputs = temporaryDirectory();
  const separated = words.flatMap((each, place) => (place === 0 ? each : ['--next', ...each]));
  const { stderr } = await outputOf('curl', separated, { env, cwd: outputs.path });
  return sent.map(({ method, url, way }, place) => {
    const file = join(outputs.path, `${place}.out`);
    return { method, url, way, ...statusAndBody(existsSync(file) ? readFileSync(file, 'utf8') : '', stderr) };
  });
}

/** It has the same options for all that a process sends, and writes the answers one behind the other. */
async function byWget(
  requests: readonly ClientRequest[],
  header: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<readonly ClientOutcome[]> {
  const always = ['-q', '-O', '-', '--save-headers', '--content-on-error', '-t', '1', '-T', patienceSeconds];
  const sent = requests.flatMap((request) =>
    Object.entries(wgetWays(request)).map(([way, options]) => ({ ...request, way, options })),
  );
  const alike = Map.groupBy(sent, ({ way, method }) => `${method} ${way}`);
  const outcomes: ClientOutcome[] = [];
  for (const group of alike.values()) {
    const words = [...always, ...header.map((each) => `--header=${each}`), ...(group[0]?.options ?? [])];
    const { stdout, stderr } = await outputOf('wget', [...words, ...group.map(({ url }) => url)], { env });
    const answers = stdout.split(/(?=HTTP\/1\.[01] \d{3} )/);
    if (answers.length !== group.length)
      throw new Error(`wget has ${answers.length} answers to ${group.length} requests: ${stderr}${stdout}`);
    for (const [place, { method, url, way }] of group.entries())
      outcomes.push({ method, url, way, ...statusAndBody(answers[place] ?? '', stderr) });
  }
  return outcomes;
}

/** What a program says, however it ends: it ends badly where one of the answers is an error. */
async function outputOf(
  program: string,
  words: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string },
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return await run(program, words, { ...options, maxBuffer: Number.POSITIVE_INFINITY }).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => error,
  );
}

function curlWays({ method, body }: ClientRequest): Ways {
  const curl = ['-X', method];
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
  const wget = [`--method=${method}`];
  if (body !== undefined)
    return { 'wget with JSON': [...wget, `--header=${json}`, `--body-data=${JSON.stringify(body)}`] };
  return {
    wget,
    'wget with a default JSON header': [...wget, `--header=${json}`],
    'wget with empty data': [...wget, '--body-data='],
    'wget with {}': [...wget, `--header=${json}`, '--body-data={}'],
    ...(method === 'POST' ? { "wget --post-data=''": ['--post-data='] } : {}),
  };
}

/** The last head and what follows it; before that there may be a 100 Continue. */
function statusAndBody(
  stdout: string,
  stderr: string,
): {
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
