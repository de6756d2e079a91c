import { vi } from 'vitest';

/** As `expect.poll` has it in vitest.config.ts, where these two have no entry of their own. */
const timeout = 20_000;

const { waitFor, waitUntil } = vi;

// By themselves they wait for a second, in which a busy machine has not even started a process.
vi.waitFor = (look, options) => waitFor(look, patient(options));
vi.waitUntil = (look, options) => waitUntil(look, patient(options));

function patient<Options extends object>(given: number | Options | undefined) {
  return typeof given === 'number' ? given : { timeout, ...given };
}
