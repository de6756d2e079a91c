import { secretText, text } from '@steward/service-kit/configuration/kinds';
import { logVariables, variable } from '@steward/service-kit/configuration/variable';
import { integer } from '@steward/shared/kinds';

/** Where `npm run farm` looks for a running farm. */
export const controlVariables = {
  FARM_CONTROL: variable(text('a path for a Unix socket'), {
    fallback: '.steward/farm/control.sock',
    means: 'The socket on which a running farm takes orders from `npm run farm`',
  }),
};

/** Everything that the farm reads from its environment. */
export const variables = {
  FARM_BRIDGE: variable(text('stdio, unix:<path> or tcp:<host>:<port>'), {
    fallback: 'stdio',
    means: 'Where the control API is: at this program’s standard input and output, or at an address to dial',
  }),
  FARM_BRIDGE_SECRET: variable(secretText('the GAME_BRIDGE_SECRET of the control API'), {
    means: 'The shared secret, needed over TCP',
  }),
  FARM_TICKET_KEY: variable(secretText('64 hexadecimal digits'), {
    means: 'The app’s key, with which the simulated network reads app tickets; without it nobody signs in',
  }),
  FARM_SAVES_DIR: variable(text('a path for a directory'), {
    fallback: '.steward/farm/saves',
    means: 'Where there is a folder for each save; a farm is founded where there is none',
  }),
  FARM_SAVE_NAME: variable(text('the name of a folder in FARM_SAVES_DIR'), {
    fallback: '',
    means: 'Which save is opened, where there are several and none was loaded over the bridge since',
  }),
  FARM_SAVE_BYTES: variable(integer({ min: 0, max: 200_000_000 }), {
    fallback: 0,
    means: 'How large a save is at least; real ones have 5 to 50 million bytes',
  }),
  FARM_SEED: variable(text('any text'), {
    fallback: '',
    means: 'Where all chance comes from; without one every start is another story',
  }),
  FARM_PACE: variable(integer({ min: 1, max: 1_000 }), {
    fallback: 1,
    means: 'How many times faster than the real game time passes',
  }),
  FARM_TPS: variable(integer({ min: 1, max: 60 }), {
    fallback: 60,
    means: 'How often a second the farm’s loop runs',
  }),
  FARM_VISITORS: variable(integer({ min: 0, max: 20 }), {
    fallback: 0,
    means: 'How many people come, talk and go by themselves',
  }),
  FARM_GREETING: variable(text('a line'), {
    fallback: '',
    means: 'What the farm says in its log once it is open, such as where its API is',
  }),
  FARM_HINTS: variable(text('lines'), {
    fallback: '',
    means: 'What the farm says in its log once players can join, below the invite codes',
  }),
  ...controlVariables,
  ...logVariables,
};
