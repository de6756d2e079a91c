import { type CallToolResult, Client, type Tool } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Changes } from '@steward/testing/changes';
import { inherited, programFile } from '@steward/testing/program';
import { ServerHere } from './server-here.ts';

const main = programFile('packages/mcp-server/src/main.ts');

/** Both ways of speaking the protocol: that of 2024 and 2025, and that of 2026. */
export const eras = ['legacy', 'modern'] as const;

export type Era = (typeof eras)[number];

export interface AssistantOptions {
  readonly era?: Era;
  readonly environment?: Readonly<Record<string, string>>;
  /** What Node runs, where it is another file than the sources' own. */
  readonly program?: readonly string[];
  /** In the process of the tests rather than in one of its own. */
  readonly isHere?: boolean;
}

/** The host of an assistant, as the protocol's own library has one, with the server that it starts. */
export class Assistant implements AsyncDisposable {
  readonly client: Client;
  /** The lines that the server has written to its log. */
  readonly log: string[] = [];
  /** The resources that it was told of, in their order; `tools` where the list of tools has changed. */
  readonly told: string[] = [];
  readonly #era: Era;
  readonly #changes = new Changes();
  readonly #process: StdioClientTransport | undefined;
  readonly #here: ServerHere | undefined;

  private constructor({ era = 'modern', environment = {}, program = [main], isHere }: AssistantOptions) {
    this.#era = era;
    this.client = new Client(
      { name: 'tests', version: '1.0.0' },
      { versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' } },
    );
    const written = (lines: readonly string[]) => {
      this.log.push(...lines);
      this.#changes.told();
    };
    if (isHere === true) this.#here = new ServerHere(environment, (line) => written([line]));
    else {
      this.#process = processOf(environment, program);
      this.#process.stderr?.on('data', (chunk: Buffer) =>
        written(chunk.toString().split('\n').filter(Boolean)),
      );
    }
    const hear = (what: string) => {
      this.told.push(what);
      this.#changes.told();
    };
    this.client.setNotificationHandler('notifications/resources/updated', ({ params }) => hear(params.uri));
    this.client.setNotificationHandler('notifications/tools/list_changed', () => hear('tools'));
  }

  static async open(options: AssistantOptions = {}): Promise<Assistant> {
    const assistant = new Assistant(options);
    const transport = assistant.#here?.transport ?? assistant.#process;
    if (transport === undefined) throw new Error('there is no server');
    await assistant.client.connect(transport);
    return assistant;
  }

  get pid(): number {
    const pid = this.#process?.pid ?? null;
    if (pid === null) throw new Error('the server does not run');
    return pid;
  }

  async tools(): Promise<readonly Tool[]> {
    return (await this.client.listTools({}, { cacheMode: 'refresh' })).tools;
  }

  async names(): Promise<readonly string[]> {
    return (await this.tools()).map(({ name }) => name);
  }

  call(name: string, given: Record<string, unknown> = {}): Promise<CallToolResult> {
    return this.client.callTool({ name, arguments: given });
  }

  async read(uri: string): Promise<Record<string, unknown>> {
    const { contents } = await this.client.readResource({ uri }, { cacheMode: 'bypass' });
    const [content] = contents;
    if (content === undefined || !('text' in content)) throw new Error(`${uri} has no text`);
    return JSON.parse(content.text);
  }

  /** Is told from then on when the resource would read otherwise, or the list of tools. */
  async subscribe(uri: string): Promise<void> {
    if (this.#era === 'modern')
      await this.client.listen({ resourceSubscriptions: [uri], toolsListChanged: true });
    else await this.client.subscribeResource({ uri });
  }

  /** Once it is told of this, for the so many-th time. */
  async isTold(what: string, times = 1): Promise<void> {
    const heard = () => (this.told.filter((one) => one === what).length >= times ? true : undefined);
    await this.#changes.until(heard, {
      missing: () => `it was told of ${this.told}; ${this.log.join('\n')}`,
    });
  }

  /** Once a line of the log has this. */
  async logs(pattern: RegExp): Promise<void> {
    const found = () => this.log.find((line) => pattern.test(line));
    await this.#changes.until(found, { missing: () => this.log.join('\n') });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.#here?.stop();
  }
}

function processOf(
  environment: Readonly<Record<string, string>>,
  program: readonly string[],
): StdioClientTransport {
  const entries = Object.entries({ ...inherited(), ...environment });
  return new StdioClientTransport({
    command: process.execPath,
    args: [...program],
    env: Object.fromEntries(entries.filter((one): one is [string, string] => one[1] !== undefined)),
    stderr: 'pipe',
  });
}
