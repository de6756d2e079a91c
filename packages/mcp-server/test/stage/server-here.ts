import { PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { compose } from '../../src/compose.ts';
import { variables } from '../../src/configuration.ts';

/**
 * What `serve` runs, in this process: a program of its own costs a third of a second of the processor. Others of
 * the tests start the program, by each of its variables.
 */
export class ServerHere {
  /** The host's end of the line between the two, which has the same form at both. */
  readonly transport: StdioServerTransport;
  readonly stop: () => Promise<void>;

  constructor(environment: Readonly<Record<string, string>>, log: (line: string) => void) {
    const { servers, happenings } = compose(readConfiguration(variables, environment), 'here', log);
    const [asked, answered] = [new PassThrough(), new PassThrough()];
    this.transport = new StdioServerTransport(answered, asked);
    const handle = serveStdio(servers.make, { transport: new StdioServerTransport(asked, answered) });
    const running = happenings.run();
    this.stop = async () => {
      happenings.stop();
      await handle.close();
      await running;
    };
  }
}
