import { createServer } from 'node:net';
import { OperatorError } from '@steward/service-kit/process/errors';

export const loopback = '127.0.0.1';

/** Enough for many stacks side by side; beyond that something else is wrong. */
const portsTried = 100;

interface Wish {
  /** What sets the port. */
  readonly variable: string;
  /** Where it is not set, the first free port from this one on is chosen. */
  readonly preferred: number;
}

/** A port for each. None of them is held yet, so that a look alone would give two the same; what is set comes first. */
export async function choosePorts<Name extends string>(
  wishes: Readonly<Record<Name, Wish>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Record<Name, number>> {
  const chosen = new Map<number, string>();
  const ports: Partial<Record<Name, number>> = {};
  const names = Object.keys(wishes) as Name[];
  const isSet = (name: Name) => Boolean(environment[wishes[name].variable]);
  for (const name of [...names.filter(isSet), ...names.filter((one) => !isSet(one))]) {
    const { variable } = wishes[name];
    const set = environment[variable];
    const port = set ? await portAsSet(variable, set, chosen) : await firstFree(wishes[name], chosen);
    chosen.set(port, variable);
    ports[name] = port;
  }
  return ports as Record<Name, number>;
}

async function firstFree(
  { variable, preferred }: Wish,
  chosen: ReadonlyMap<number, string>,
): Promise<number> {
  for (let port = preferred; port < preferred + portsTried; port += 1) {
    if (!chosen.has(port) && (await isFree(port))) return port;
  }
  throw new OperatorError(
    `no port from ${preferred} to ${preferred + portsTried - 1} is free; set ${variable} to one that is`,
  );
}

async function portAsSet(
  variable: string,
  set: string,
  chosen: ReadonlyMap<number, string>,
): Promise<number> {
  const port = Number(set);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new OperatorError(`${variable} is "${set}": it must be an integer from 1 to 65535`);
  }
  const other = chosen.get(port);
  if (other !== undefined)
    throw new OperatorError(`${variable}: port ${port} is set for ${other}, too; choose another port`);
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
