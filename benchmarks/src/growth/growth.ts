import type { Growth } from '../page/growth-row.ts';

export const growthName = 'growth';

/** What is doubled, by name, in the order of the page. */
export const growths: Readonly<Record<string, () => Promise<Growth>>> = {};

/** Each as soon as it is measured. */
export async function* growth(): AsyncGenerator<Growth> {
  for (const [name, measure] of Object.entries(growths)) {
    console.error(`doubling ${name}`);
    yield await measure();
  }
}
