const everyAddress = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Where this machine reaches a service that listens on `host`. */
export function urlHere(host: string, port: number): string {
  const address = everyAddress.get(host) ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
