import { gameSettings } from '@steward/shared/bridge/settings';
import { damaged } from '@steward/testing/hostile/bytes';
import { hostileJson } from '@steward/testing/hostile/json';
import { withstand } from '@steward/testing/hostile/withstand';
import { count } from '@steward/testing/scale';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defaultDocument, editServer, readSettings } from './document.ts';

const runs = { numRuns: count({ small: 200, long: 50_000 }) };
const commented = `\uFEFF{ // a farm\n${defaultDocument().trim().slice(1, -1)}, /* the end */ }\r\n`;
const near = hostileJson(JSON.parse(defaultDocument()));
const file = fc.oneof(
  near,
  near.map((text) => `// made manually\n${text}`),
  damaged(fc.constantFrom(defaultDocument(), commented).map((text) => Buffer.from(text))).map((bytes) =>
    bytes.toString('utf8'),
  ),
);

it('a hostile settings file is refused with a reason, or gives settings that the game can be told', {
  timeout: 3_600_000,
}, () => {
  fc.assert(
    fc.property(file, (text) => {
      const read = withstand(() => readSettings(text));
      if (!read.ok) {
        expect(read.reason).not.toBe('');
        return;
      }
      expect(gameSettings.safeParse(read.value.settings).success).toBe(true);
      for (const warning of read.value.warnings) expect(warning.length).toBeLessThan(1_000);
    }),
    runs,
  );
});

it('a hostile settings file that can be read can be edited, and reads as what was asked for', {
  timeout: 3_600_000,
}, () => {
  fc.assert(
    fc.property(file, fc.integer({ min: 1, max: 100 }), (text, maxPlayers) => {
      const before = readSettings(text);
      fc.pre(before.ok);
      const change = { maxPlayers, activeLobbyLayout: 'a_B-1' };
      const after = readSettings(withstand(() => editServer(text, change)));
      const { game, server } = before.value.settings;
      expect(after.ok && after.value.settings).toEqual({ game, server: { ...server, ...change } });
      // No layout is called so; but what is written must stand there as it was meant.
      const odd = '$&"\\';
      expect(editServer(text, { activeLobbyLayout: odd })).toContain(JSON.stringify(odd));
    }),
    runs,
  );
});
