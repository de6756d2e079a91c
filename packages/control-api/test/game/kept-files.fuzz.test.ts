import { writeFileSync } from 'node:fs';
import { createLogger } from '@steward/service-kit/log/logger';
import { SettledTime } from '@steward/service-kit/settled-time';
import { defaultSettings, farmCreationSettings } from '@steward/shared/bridge/settings';
import { damaged, garbage } from '@steward/testing/hostile/bytes';
import { hostileJson } from '@steward/testing/hostile/json';
import { withstandAsync } from '@steward/testing/hostile/withstand';
import { ManualClock } from '@steward/testing/manual-clock';
import { count } from '@steward/testing/scale';
import { temporaryDirectory } from '@steward/testing/temporary-directory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { operation } from '../../src/game/operations/operation.ts';
import { FarmOrigins } from '../../src/settings/farm-origins.ts';
import { NewerFiles } from '../../src/store/directory/newer-files.ts';
import { KeptOperations, noOperations } from '../../src/store/kept/operations.ts';
import type { Write } from '../../src/store/writing/writer.ts';
import { quiet } from './stage/stage.ts';

const silent = createLogger('test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' }, process.stderr);

// Each run opens, syncs and replaces files, so each has many hostile lines.
const runs = { numRuns: count({ small: 20, long: 1_000 }) };
const linesPerFile = 50;

const at = '2026-11-21T06:30:00.000Z';
const kept = { id: '7', command: 'setRenderRate', createdAt: at, changedAt: at, fingerprint: 'f' };
const line = hostileJson(
  { ...kept, state: 'claimed', farmId: 'Meadow_1', keyDigest: 'd' },
  { ...kept, state: 'applied', outcome: { outcome: 'applied', before: { fps: 60 }, after: { fps: 30 } } },
  { ...kept, state: 'refused', outcome: { outcome: 'refused', code: 'busy', message: 'later' } },
  { ...kept, command: 'applySettings', state: 'applied', settingsFile: { before: { a: [1] }, after: {} } },
).map((text) => Buffer.from(text));

it('loads a hostile operations file: what is no operation is passed over, the rest is taken over as it was', {
  timeout: 3_600_000,
}, async () => {
  using directory = temporaryDirectory();
  const path = `${directory.path}/operations.jsonl`;
  const good = JSON.stringify({ ...kept, id: '18446744073709551615', state: 'void' });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(line, damaged(line), garbage(60)), { maxLength: linesPerFile }),
      async (lines) => {
        writeFileSync(
          path,
          Buffer.concat([...lines, Buffer.from(good)].flatMap((each) => [each, Buffer.from('\n')])),
        );
        const written: Write[] = [];
        const file = new KeptOperations({
          writer: {
            async write(asked) {
              written.push(asked);
              return 0;
            },
          },
          left: () => noOperations,
          noDatabase: () => undefined,
          keysLost: () => undefined,
          oldFile: path,
          log: quiet,
          settled: new SettledTime(new ManualClock(new Date(at))),
          newerFiles: new NewerFiles(silent),
          disk: { failed: () => {} },
        });
        const loaded = await withstandAsync(() => file.load());
        for (const each of loaded) expect(operation.safeParse(each).success).toBe(true);
        expect(loaded.map(({ id }) => id)).toContain('18446744073709551615');
        const [takenOver] = written;
        if (takenOver?.kind !== 'take-over-operations') throw new Error('nothing was taken over');
        const bodies = takenOver.operations.map(({ body }) => body);
        expect(bodies.toSorted()).toEqual(loaded.map((each) => JSON.stringify(each)).toSorted());
      },
    ),
    runs,
  );
});

it('begins again from a hostile file of farm origins, or reads it', { timeout: 3_600_000 }, async () => {
  using directory = temporaryDirectory();
  const path = `${directory.path}/farms.json`;
  const text = hostileJson({ farms: [{ farmId: 'Meadow_1', madeFrom: defaultSettings.game }] });
  await fc.assert(
    fc.asyncProperty(text, async (written) => {
      writeFileSync(path, written);
      const origins = new FarmOrigins(path, silent, new NewerFiles(silent));
      await withstandAsync(() => origins.load());
      const { current } = origins;
      if (current !== undefined) expect(farmCreationSettings.parse(current)).toEqual(current);
    }),
    { numRuns: count({ small: 300, long: 50_000 }) },
  );
});
