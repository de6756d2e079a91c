import { errorCode } from '@steward/shared/error-code';
import { OperatorError } from '../process/operator-error.ts';

/** By this name the framework would open a second listener for the other protocol, without what was set up on the first. */
const ipv4Loopback = '127.0.0.1';

const aboutTheHost = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'];

interface Listening {
  listen(at: {
    host: string;
    port: number;
    listenTextResolver: (address: string) => string;
  }): Promise<string>;
}

export interface ListenPlace {
  readonly host: string;
  readonly port: number;
  readonly hostVariable: string;
  readonly portVariable: string;
}

/** Listens, or says in one line which variable to change. */
export async function listen(server: Listening, at: ListenPlace): Promise<void> {
  try {
    await server.listen({
      host: at.host === 'localhost' ? ipv4Loopback : at.host,
      port: at.port,
      listenTextResolver: (address) => `listening on ${address}`,
    });
  } catch (error) {
    const code = errorCode(error);
    const variable = aboutTheHost.includes(String(code)) ? at.hostVariable : at.portVariable;
    throw new OperatorError(
      `${variable}: cannot listen on ${at.host} port ${at.port}: ${reason(error, code)}`,
    );
  }
}

function reason(error: unknown, code: unknown): string {
  if (code === 'EADDRINUSE') return 'another program holds it; stop that one or choose another port';
  if (code === 'EACCES') return 'not permitted; choose a port above 1023';
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return 'this machine has no such address';
  return error instanceof Error ? error.message : String(error);
}
