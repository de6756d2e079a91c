import { PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { steward } from '@steward/client';
import { systemClock } from '@steward/service-kit/clock';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { variables } from '../../src/configuration.ts';
import { Access, askingRetries } from '../../src/farm/access.ts';
import { Happenings } from '../../src/farm/happenings.ts';
import { Servers } from '../../src/server.ts';
import { Caller } from '../../src/tools/calling.ts';

/**
 * What `serve` puts together, in this process: a program of its own costs a third of a second of the processor. Others of
 * the tests start the program, by each of its variables.
 */
export class ServerHere {
  /** The host's end of the line between the two, which has the same form at both. */
  readonly transport: StdioServerTransport;
  readonly #stop: () => Promise<void>;

  constructor(environment: Readonly<Record<string, string>>, log: (line: string) => void) {
    const { STEWARD_URL, STEWARD_KEY, ...told } = readConfiguration(variables, environment);
    const at = { url: STEWARD_URL.href, key: STEWARD_KEY?.reveal() };
    const farm = steward(at);
    const offer = {
      sets: told.MCP_TOOLSETS,
      isReadOnly: told.MCP_READ_ONLY,
      showsPlayerText: told.MCP_PLAYER_TEXT,
    };
    const access = new Access({
      farm: steward({ ...at, retries: askingRetries }),
      log,
      now: () => systemClock.now(),
    });
    const happenings = new Happenings({
      ...{ farm, access, log, clock: systemClock, random: Math.random },
      onUpdated: (uri) => servers.updated(uri),
    });
    const caller = new Caller({ farm, access, offer, log });
    const servers = new Servers({ version: 'here', farm, access, happenings, caller, offer, log });
    const [asked, answered] = [new PassThrough(), new PassThrough()];
    this.transport = new StdioServerTransport(answered, asked);
    const handle = serveStdio(servers.make, { transport: new StdioServerTransport(asked, answered) });
    const running = happenings.run();
    this.#stop = async () => {
      happenings.stop();
      await handle.close();
      await running;
    };
  }

  stop(): Promise<void> {
    return this.#stop();
  }
}
