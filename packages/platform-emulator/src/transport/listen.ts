import type { AddressInfo, Server, Socket } from 'node:net';

export const loopback = '127.0.0.1';

/** A server whose open sockets can all be ended at once. */
export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  // A server that listens on TCP always has such an address.
  const bound = server.address() as AddressInfo;
  return {
    port: bound.port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
