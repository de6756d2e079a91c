import { OperatorError } from '../process/operator-error.ts';

interface Listening {
  listen(at: {
    host: string;
    port: number;
    listenTextResolver: (address: string) => string;
  }): Promise<string>;
}

/** Listens, or says in one line which variable to change. */
export async function listen(
  server: Listening,
  at: { host: string; port: number; portVariable: string },
): Promise<void> {
  try {
    await server.listen({
      host: at.host,
      port: at.port,
      listenTextResolver: (address) => `listening on ${address}`,
    });
  } catch (error) {
    throw new OperatorError(
      `${at.portVariable}: cannot listen on ${at.host} port ${at.port}: ${reason(error)}`,
    );
  }
}

function reason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'another program holds it; stop that one or choose another port';
  if (code === 'EACCES') return 'not permitted; choose a port above 1023';
  if (code === 'EADDRNOTAVAIL') return 'this machine has no such address';
  return error instanceof Error ? error.message : String(error);
}
