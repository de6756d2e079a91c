import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gameAppId } from '@steward/platform-emulator/depot/game/build-game';
import { makeDepot } from '@steward/platform-emulator/depot/make-depot';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { describe, expect, it } from 'vitest';
import { Places } from '../src/download/names/places.ts';
import { DownloadProblem } from '../src/download/problems/problem.ts';
import { completeInterrupted } from '../src/download/run/interrupted.ts';
import { LocalDownload } from './world/local-download.ts';

const now = () => new Date('2026-11-21T06:30:00.000Z');
const key = 'a'.repeat(32);
const secret = 'session-ann.json';

/** A GAME_DIR, and beside it what is none of the game's. */
class Besieged implements Disposable {
  readonly #directory = temporaryDirectory();
  readonly session = join(this.#directory.path, 'session');
  readonly places = new Places(join(this.#directory.path, 'game'));

  constructor() {
    mkdirSync(this.places.stage, { recursive: true });
    mkdirSync(this.session);
    writeFileSync(join(this.session, secret), 'secret');
  }

  journal(...steps: readonly object[]): void {
    writeFileSync(this.places.journal, JSON.stringify({ version: 1, steps, marker: '{}' }));
  }

  complete(): Promise<boolean> {
    return completeInterrupted(this.places, 'serve', now);
  }

  expectUntouched(): void {
    expect(readdirSync(this.session)).toEqual([secret]);
    expect(readFileSync(join(this.session, secret), 'utf8')).toBe('secret');
  }

  [Symbol.dispose](): void {
    this.#directory[Symbol.dispose]();
  }
}

describe('a made-up journal', () => {
  const outside = `../session/${secret}`;
  it.each([
    [{ do: 'remove', name: outside }],
    [{ do: 'remove', name: `Content/../../session/${secret}` }],
    [{ do: 'remove', name: `.steam-sdk/../${outside}` }],
    [{ do: 'remove', name: '.download/tree.json' }],
    [{ do: 'remove-directory', name: '../empty' }],
    [{ do: 'directory', name: '../session/more' }],
    [{ do: 'link', name: '../session/link', target: 'a' }],
    [{ do: 'link', name: 'link', target: '/etc' }],
    [{ do: 'put', name: '../session/new', from: key }],
    [{ do: 'put', name: 'Mods/loot.json', from: `../../${outside}` }],
    [{ do: 'put', name: 'Mods/loot.json', from: '../tree.json' }],
    [{ do: 'put', name: 'Mods/loot.json', from: `${key}.else` }],
  ])('is refused as a whole: %j', async (step) => {
    using world = new Besieged();
    const { places } = world;
    mkdirSync(join(places.root, '../empty'));
    writeFileSync(join(places.root, 'mine'), 'mine');
    writeFileSync(places.record, '{}');
    writeFileSync(places.staged(key), 'staged');
    world.journal({ do: 'remove', name: 'mine' }, step);
    await expect(world.complete()).rejects.toThrow(/journal\.json.*is not genuine.*Remove it.*--verify/);
    world.expectUntouched();
    expect(readdirSync(places.root).toSorted()).toEqual(['.download', 'mine']);
    expect(existsSync(places.record)).toBe(true);
    expect(existsSync(join(places.root, '../empty'))).toBe(true);
    expect(readdirSync(places.stage)).toEqual([key]);
  });

  it.each([
    [{ do: 'remove', name: `Old/${secret}` }],
    [{ do: 'remove-directory', name: 'Old/empty' }],
    [{ do: 'directory', name: 'Old/new' }],
    [{ do: 'link', name: 'Old/link', target: 'a' }],
    [{ do: 'put', name: `Old/${secret}`, from: key }],
    [
      { do: 'put', name: 'Old/new', from: key },
      { do: 'remove', name: 'Old' },
    ],
  ])('leads nowhere through a link in the tree: %j', async (...steps) => {
    using world = new Besieged();
    writeFileSync(world.places.staged(key), 'staged');
    symlinkSync(world.session, join(world.places.root, 'Old'));
    const empty = join(world.session, 'empty');
    mkdirSync(empty);
    world.journal(...steps);
    await world.complete().catch((error: unknown) => expect(error).toBeInstanceOf(DownloadProblem));
    expect(readdirSync(world.session)).toEqual(['empty', secret]);
    expect(readFileSync(join(world.session, secret), 'utf8')).toBe('secret');
  });

  it('puts no link in the place of a file, to write the next one through', async () => {
    using world = new Besieged();
    const other = 'b'.repeat(32);
    symlinkSync(world.session, world.places.staged(key));
    writeFileSync(world.places.staged(other), 'staged');
    world.journal({ do: 'put', name: 'Old', from: key }, { do: 'put', name: 'Old/new', from: other });
    await expect(world.complete()).rejects.toThrow(/is not a file/);
    world.expectUntouched();
  });
});

describe('a made-up record removes nothing outside GAME_DIR', () => {
  const file = (name: string) => ({ kind: 'file', name, content: Buffer.from(name) }) as const;
  const depot = (...names: readonly string[]) =>
    makeDepot({ depotId: 413_153, name: `${names.length}`, format: 'zip' }, names.map(file));

  it.each(['files', 'links', 'directories'] as const)('by its %s', async (kind) => {
    using world = new LocalDownload();
    using elsewhere = temporaryDirectory();
    mkdirSync(join(elsewhere.path, 'empty'));
    writeFileSync(join(elsewhere.path, secret), 'secret');
    world.content.publish(gameAppId, [depot('a', 'b')]);
    await world.run();
    const { record } = new Places(world.directory);
    const written = JSON.parse(readFileSync(record, 'utf8'));
    const outside = relative(world.directory, elsewhere.path);
    const made = {
      files: { ...written.files, [`${outside}/${secret}`]: written.files.a },
      links: { [`${outside}/${secret}`]: 'a' },
      directories: [`${outside}/empty`],
    };
    writeFileSync(record, JSON.stringify({ ...written, [kind]: made[kind] }));
    world.content.publish(gameAppId, [depot('a')]);
    await world.run();
    expect(readdirSync(elsewhere.path)).toEqual(['empty', secret]);
    expect(world.tree['a']).toBeDefined();
  });
});
