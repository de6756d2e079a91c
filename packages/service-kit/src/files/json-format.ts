import type { z } from 'zod';
import { readJson, withoutMark } from '../json.ts';

export type Read<Content> =
  | { readonly kind: 'content'; readonly content: Content }
  | Newer
  | { readonly kind: 'corrupt' };

/** A file of a newer version is not corrupt: the program that wrote it will want it back, byte for byte. */
export interface Newer {
  readonly kind: 'newer';
  /** Completes "the file …". */
  readonly reason: string;
}

export const newerRemedy =
  'Update to the version that wrote it, or restore the backup from before the upgrade: docs/upgrades.md';

const corrupt = { kind: 'corrupt' } as const;

/**
 * A file of JSON that carries its version as a member, which its schema names. There has been one version of each so far: whoever makes
 * the second brings what the first wrote up to it here, before it is parsed.
 */
export class JsonFormat<Content> {
  readonly #version: number;
  readonly #content: z.ZodType<Content>;

  constructor(version: number, content: z.ZodType<Content>) {
    this.#version = version;
    this.#content = content;
  }

  read(text: string): Read<Content> {
    const json = readJson(withoutMark(text));
    const newer = newerThan(this.#version, versionIn(json));
    if (newer !== undefined) return newer;
    const content = this.#content.safeParse(json);
    return content.success ? { kind: 'content', content: content.data } : corrupt;
  }
}

/** Of what a file has in it; undefined where it names none. */
export function versionIn(json: unknown): unknown {
  return typeof json === 'object' && json !== null && 'version' in json ? json.version : undefined;
}

/** Of a file that names this version, where the program writes the current one. */
export function newerThan(current: number, version: unknown): Newer | undefined {
  if (typeof version !== 'number' || version <= current) return undefined;
  return {
    kind: 'newer',
    reason: `was written by a newer version of this program (format ${version}; this one reads up to ${current})`,
  };
}
