import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loopback } from './ports.ts';

/** One process of the stack. */
export interface Member {
  readonly name: string;
  /** The built program. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Answers 200 once the member is ready. */
  readonly health: string;
}

export interface Ports {
  readonly controlApi: number;
  readonly platformAuth: number;
}

/** The members in the order in which they start; they stop in the opposite one. */
export function members(ports: Ports, stateDirectory: string): readonly Member[] {
  const state = join(stateDirectory, `control-api-${ports.controlApi}`);
  return [
    {
      name: 'platform-auth',
      entry: program('@steward/platform-auth/main'),
      environment: { HOST: loopback, PORT: String(ports.platformAuth) },
      health: `http://${loopback}:${ports.platformAuth}/health`,
    },
    {
      name: 'control-api',
      entry: program('@steward/control-api/main'),
      environment: {
        API_HOST: loopback,
        API_PORT: String(ports.controlApi),
        // Stacks side by side differ in their ports; one that is still stopping holds its own socket.
        STATE_DIR: state,
        GAME_BRIDGE_LISTEN: `unix:${join(state, `game-${process.pid}.sock`)}`,
      },
      health: `http://${loopback}:${ports.controlApi}/health`,
    },
  ];
}

function program(specifier: string): string {
  return fileURLToPath(import.meta.resolve(specifier));
}
