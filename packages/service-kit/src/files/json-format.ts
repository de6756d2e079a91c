import { z } from 'zod';
import { readJson } from '../json.ts';
import { checkVersions, type FileVersions, type Newer, upgraded } from './file-versions.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export type Read<Content> =
  | { readonly kind: 'content'; readonly content: Content }
  | Newer
  | { readonly kind: 'corrupt' };

const corrupt = { kind: 'corrupt' } as const;

const jsonObject = z.record(z.string(), z.unknown());

/** A file of JSON that carries its version as a member. Older ones are read as if the current version had written them. */
export class JsonFormat<Content> {
  readonly versions: FileVersions<JsonObject>;
  readonly #content: z.ZodType<Content>;

  constructor(versions: FileVersions<JsonObject>, content: z.ZodType<Content>) {
    checkVersions(versions);
    this.versions = versions;
    this.#content = content;
  }

  read(text: string): Read<Content> {
    const json = jsonObject.safeParse(readJson(text));
    return json.success ? this.readObject(json.data, json.data['version']) : corrupt;
  }

  /** For an object whose version stands elsewhere. */
  readObject(json: JsonObject, version: unknown): Read<Content> {
    const read = upgraded(this.versions, version, json);
    if (read.kind === 'newer') return read;
    if (read.kind === 'unknown') return corrupt;
    const content = this.#content.safeParse({ ...read.written, version: this.versions.current });
    return content.success ? { kind: 'content', content: content.data } : corrupt;
  }
}
