import { secretText, text } from '@steward/service-kit/configuration/kinds';
import { logVariables, variable } from '@steward/service-kit/configuration/variable';
import { integer } from '@steward/shared/kinds';

/** Where `npm run farm` looks for a running farm. */
export const controlVariables = {
  FARM_CONTROL: variable(text('a path for a Unix socket'), {
    fallback: '.steward/farm/control.sock',
    means: 'The socket for orders from `npm run farm`',
  }),
};

/** Everything that the farm reads from its environment. */
export const variables = {
  FARM_BRIDGE: variable(text('stdio, unix:<path> or tcp:<host>:<port>'), {
    fallback: 'stdio',
    means: 'Where the control API is: on standard input and output, or at an address to connect to',
  }),
  FARM_BRIDGE_SECRET: variable(secretText('the GAME_BRIDGE_SECRET of the control API'), {
    means: 'The shared secret, needed over TCP',
  }),
  FARM_TICKET_KEY: variable(secretText('64 hexadecimal digits'), {
    means: 'The app’s key, which the simulated network needs to read app tickets; without it nobody signs in',
  }),
  FARM_SAVES_DIR: variable(text('a path for a directory'), {
    fallback: '.steward/farm/saves',
    means: 'The directory with a folder for each save; if it is empty, a new farm is created',
  }),
  FARM_SAVE_NAME: variable(text('the name of a folder in FARM_SAVES_DIR'), {
    fallback: '',
    means: 'Which save to open, if there are several and none was loaded over the bridge since',
  }),
  FARM_SAVE_BYTES: variable(integer({ min: 0, max: 200_000_000 }), {
    fallback: 0,
    means: 'The minimum size of a save; real ones have 5 to 50 million bytes',
  }),
  FARM_SEED: variable(text('any text'), {
    fallback: '',
    means: 'The seed of all random choices; random by default',
  }),
  FARM_PACE: variable(integer({ min: 1, max: 1_000 }), {
    fallback: 1,
    means: 'How many times faster than the real game time passes',
  }),
  FARM_TPS: variable(integer({ min: 1, max: 60 }), {
    fallback: 60,
    means: 'How many times per second the farm’s loop runs',
  }),
  FARM_VISITORS: variable(integer({ min: 0, max: 20 }), {
    fallback: 0,
    means: 'How many simulated players join, chat and leave',
  }),
  FARM_GREETING: variable(text('a line'), {
    fallback: '',
    means: 'A text that the farm logs when it is open, such as the address of its API',
  }),
  FARM_HINTS: variable(text('lines'), {
    fallback: '',
    means: 'A text that the farm logs when players can join, below the invite codes',
  }),
  ...controlVariables,
  ...logVariables,
};
