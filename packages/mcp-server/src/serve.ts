import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { readConfiguration } from '@steward/service-kit/configuration/read';
import { runUntilSignal } from '@steward/service-kit/process/ending';
import { exitCode } from '@steward/service-kit/process/errors';
import { packageVersion } from '@steward/service-kit/process/package-file';
import { forTerminal } from '@steward/service-kit/text/terminal';
import { seenText } from './answers/player-text.ts';
import { compose } from './compose.ts';
import { variables } from './configuration.ts';

/** What the farm said may stand in it: it stays one line, of what can be seen. */
function log(text: string): void {
  write(seenText(text));
}

/** Standard output is the protocol's alone. Hosts show these lines to people, as they are. */
function write(text: string): void {
  process.stderr.write(`steward-mcp: ${forTerminal(text)}\n`);
}

/** Reads the configuration and speaks the protocol until its host, or a signal, ends it. A farm that is away does not. */
export async function serve(): Promise<void> {
  const configuration = readConfiguration(variables, process.env);
  const { servers, happenings } = compose(configuration, packageVersion(import.meta.url), log);
  const wire = new StdioServerTransport();
  // Each answer that waits for room listens for it: many of them are a host that asks much, and no leak.
  process.stdout.setMaxListeners(0);
  const handle = serveStdio(servers.make, { transport: wire, onerror: (error) => log(inOneLine(error)) });
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    happenings.stop();
    await handle.close();
  };
  const release = wire.onclose;
  // Its host has ended it, or has said what nothing can follow: then nobody is answered any more, and a new one has to be started.
  wire.onclose = () => {
    release?.();
    if (isStopping) return;
    const code = process.stdin.readableEnded ? exitCode.ok : exitCode.failure;
    void stop().finally(() => process.exit(code));
  };
  const logger = { info: say, warn: say, error: say, fatal: say };
  runUntilSignal({ stop, logger });
  log(`serving ${configuration.STEWARD_URL.href}${configuration.MCP_READ_ONLY ? ', read-only' : ''}`);
  await happenings.run();
}

/** A line of the log with what it is about beside it, as the services write them. */
function say(about: unknown, text?: string): void {
  write(text === undefined ? String(about) : `${text}: ${reasonOf(about)}`);
}

/** What is no message of the protocol is a page of what it might have been. */
function inOneLine(error: Error): string {
  return 'issues' in error ? 'the host sent an invalid message: it was ignored' : error.message;
}

function reasonOf(about: unknown): string {
  const { err } = about as { readonly err?: unknown };
  return err instanceof Error ? (err.stack ?? err.message) : String(err);
}
