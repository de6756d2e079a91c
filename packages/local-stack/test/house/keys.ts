import { steward } from '@steward/client';
import { key } from '../chaos/programs.ts';

const scopesOf = {
  /** Those who change things. */
  scripts: 'read,operate,moderate,admin',
  /** Those who talk. */
  bots: 'read,chat',
  /** Those who look. */
  pages: 'read,moderate',
} as const;

export type KeyName = keyof typeof scopesOf;

export const keyNames = Object.keys(scopesOf) as readonly KeyName[];

export type Keys = Readonly<Record<KeyName, string>>;

/** A key for each kind of people, as an operator gives them out. */
export async function makeKeys(url: string): Promise<Keys> {
  const owner = steward({ url, key });
  const made = await Promise.all(
    keyNames.map(async (name) => {
      const { secret } = await owner.createKey({ name, scopes: scopesOf[name] });
      if (secret === undefined) throw new Error(`nobody was shown the key ${name}`);
      return [name, secret] as const;
    }),
  );
  return Object.fromEntries(made) as Record<KeyName, string>;
}
