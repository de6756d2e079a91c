import { integer, secret, text } from '@steward/service-kit/configuration/kinds';
import { logVariables } from '@steward/service-kit/configuration/log-variables';

/** Where `npm run farm` looks for a running farm. */
export const controlVariables = {
  FARM_CONTROL: text({
    fallback: '.steward/farm/control.sock',
    allowed: 'a path for a Unix socket',
    meaning: 'The socket on which a running farm takes orders from `npm run farm`',
  }),
};

/** Everything that the farm reads from its environment. */
export const variables = {
  FARM_BRIDGE: text({
    fallback: 'stdio',
    allowed: 'stdio, unix:<path> or tcp:<host>:<port>',
    meaning:
      'Where the control API is: at this program’s standard input and output, or at an address to dial',
  }),
  FARM_BRIDGE_SECRET: secret({
    allowed: 'the GAME_BRIDGE_SECRET of the control API',
    meaning: 'The shared secret, needed over TCP',
  }),
  FARM_TICKET_KEY: secret({
    allowed: '64 hexadecimal digits',
    meaning: 'The app’s key, with which the simulated network reads app tickets; without it nobody signs in',
  }),
  FARM_SAVE: text({
    fallback: '.steward/farm/save.json',
    allowed: 'a path for a file',
    meaning: 'The farm’s save; a farm is founded where there is none',
  }),
  FARM_SEED: text({
    fallback: '',
    allowed: 'any text',
    meaning: 'Where all chance comes from; without one every start is another story',
  }),
  FARM_PACE: integer({
    fallback: 1,
    min: 1,
    max: 1_000,
    meaning: 'How many times faster than the real game time passes',
  }),
  FARM_TPS: integer({ fallback: 60, min: 1, max: 60, meaning: 'How often a second the farm’s loop runs' }),
  FARM_VISITORS: integer({
    fallback: 0,
    min: 0,
    max: 20,
    meaning: 'How many people come, talk and go by themselves',
  }),
  FARM_GREETING: text({
    fallback: '',
    allowed: 'a line',
    meaning: 'What the farm says in its log once it is open, such as where its API is',
  }),
  ...controlVariables,
  ...logVariables,
};
