import { createServer } from 'node:net';
import { OperatorError } from '@steward/service-kit/process/errors';

export const loopback = '127.0.0.1';

/** Enough for many stacks side by side; beyond that something else is wrong. */
const portsTried = 100;

/** The port that the variable sets, or else the first free one from `preferred` on. */
export async function choosePort(
  variable: string,
  set: string | undefined,
  preferred: number,
): Promise<number> {
  if (set !== undefined && set !== '') return portAsSet(variable, set);
  for (let port = preferred; port < preferred + portsTried; port += 1) {
    if (await isFree(port)) return port;
  }
  throw new OperatorError(
    `no port from ${preferred} to ${preferred + portsTried - 1} is free; set ${variable} to one that is`,
  );
}

async function portAsSet(variable: string, set: string): Promise<number> {
  const port = Number(set);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new OperatorError(`${variable} is "${set}": it must be an integer from 1 to 65535`);
  }
  if (await isFree(port)) return port;
  throw new OperatorError(
    `${variable}: port ${port} is held by another program; stop that one or choose another port`,
  );
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ host: loopback, port, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
