import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseExact } from '@steward/service-kit/json';
import { downloadAnswer, gameMarkerName } from '@steward/shared/sidecar/download';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import { expect, it } from 'vitest';
import { exitCodes } from '../src/commands/run/exit-codes.ts';
import { printMarker, readMarker } from '../src/download/kept/marker.ts';
import { Places } from '../src/download/names/places.ts';

function page(name: string): string {
  return readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
}

/** The first piece of JSON after a text. */
function exampleAfter(text: string, place: string): string {
  const [, example = ''] = /```json\n(.*?)```/s.exec(text.slice(text.indexOf(place))) ?? [];
  return example;
}

it('the example of GET /download is an answer', () => {
  const example: unknown = JSON.parse(exampleAfter(page('sidecar-api.md'), '## GET /download'));
  expect(downloadAnswer.strict().parse(example)).toEqual(example);
});

it('the example of a marker is one, under the name that the page tells', async () => {
  using directory = temporaryDirectory();
  mkdirSync(directory.path, { recursive: true });
  const example = exampleAfter(page('download.md'), '**The marker**');
  writeFileSync(new Places(directory.path).marker, example);
  const read = await readMarker(new Places(directory.path));
  expect(read && parseExact(printMarker(read))).toEqual(parseExact(example));
  expect(page('download.md')).toContain(`\`GAME_DIR/${gameMarkerName}\``);
});

it.each(['download.md', 'game-in-docker.md'])('%s tells a game to wait for that marker', (name) => {
  expect(page(name)).toContain(`until [ -e /data/game/${gameMarkerName} ]; do`);
});

it('the exit codes are those of the commands', () => {
  const codes = [...page('download.md').matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  const known: readonly number[] = Object.values(exitCodes).map(({ code }) => code);
  expect(codes.length).toBeGreaterThan(4);
  for (const code of codes) expect(known).toContain(code);
});
