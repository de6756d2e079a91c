import { gameAppId } from '@steward/shared/sidecar/download';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ContentError } from '../problems/problem.ts';
import { chooseDepots } from './depot-choice.ts';
import { readAppContent } from './product-info.ts';

const publicManifest = { manifests: { public: { gid: '7' } } };

function chosen(depots: object, choice: Partial<Parameters<typeof chooseDepots>[2]> = {}): number[] {
  const content = readAppContent(gameAppId, { depots: { ...depots, branches: { public: {}, beta: {} } } });
  const depotsOf = chooseDepots(gameAppId, content, { branch: 'public', languages: [], ...choice });
  return depotsOf.map(({ depotId }) => depotId);
}

it.each([
  ['is for everybody', {}],
  ['is for this system', { config: { oslist: 'linux' } }],
  ['is for several systems', { config: { oslist: 'windows, linux' } }],
  ['is for this architecture', { config: { oslist: 'linux', osarch: '64' } }],
  ['has the common language', { config: { language: 'english' } }],
  ['leaves its settings empty', { config: { oslist: '', osarch: '', language: '' } }],
])('takes a depot that %s', (_what, depot) => {
  expect(chosen({ 10: { ...publicManifest, ...depot } })).toEqual([10]);
});

it.each([
  ['is for other systems', { config: { oslist: 'windows,macos' } }],
  ['is for a system whose name only contains ours', { config: { oslist: 'linux32' } }],
  ['is for another architecture', { config: { osarch: '32' } }],
  ['is for a language that is not kept', { config: { language: 'german' } }],
  ['belongs to another app', { depotfromapp: '228980' }],
  ['is shared', { sharedinstall: '1' }],
  ['belongs to an addition', { dlcappid: '99' }],
  ['is the tamer version', { config: { lowviolence: '1' } }],
  ['has no manifest', { manifests: {} }],
])('passes over a depot that %s', (_what, depot) => {
  expect(chosen({ 10: { ...publicManifest, ...depot }, 11: publicManifest })).toEqual([11]);
});

it('knows every kept language by the platform’s word', () => {
  const words = ['german', 'spanish', 'koreana', 'brazilian', 'schinese'];
  const depots = Object.fromEntries(
    words.map((language, index) => [10 + index, { ...publicManifest, config: { language } }]),
  );
  const languages = ['de-DE', 'es-ES', 'ko-KR', 'pt-BR', 'zh-CN'] as const;
  expect(chosen(depots, { languages })).toEqual([10, 11, 12, 13, 14]);
});

it('reads manifest ids in the older form, and never as numbers', () => {
  const content = readAppContent(gameAppId, {
    depots: { 10: { manifests: { public: '9223372036854775807' } } },
  });
  expect(chooseDepots(gameAppId, content, { branch: 'public', languages: [] })).toEqual([
    { depotId: 10, manifestId: '9223372036854775807', branch: 'public' },
  ]);
});

it('makes something of any tree, or says that there is nothing', () => {
  const tree = fc.letrec((tie) => ({
    tree: fc.oneof(
      fc.string(),
      fc.constant(undefined),
      fc.dictionary(
        fc.oneof(
          fc.constantFrom('depots', 'branches', 'manifests', 'config', 'public', 'oslist', 'gid', '10'),
          fc.string(),
        ),
        tie('tree'),
      ),
    ),
  })).tree;
  fc.assert(
    fc.property(tree, tree, (depots, whole) => {
      for (const appInfo of [whole, { depots }]) {
        try {
          chooseDepots(gameAppId, readAppContent(gameAppId, appInfo), { branch: 'beta', languages: [] });
        } catch (error) {
          expect(error).toBeInstanceOf(ContentError);
        }
      }
    }),
  );
});
