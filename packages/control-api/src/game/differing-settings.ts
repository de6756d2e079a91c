import { isDeepStrictEqual } from 'node:util';
import type { EventOf } from '@steward/shared/events/event-data';

interface SettingsSections {
  readonly game: object;
  readonly server: object;
}

/** Which settings of one section are others, as `server.maxPlayers`. */
export function differing(section: keyof SettingsSections, now: object, before: object): string[] {
  const [is, was] = [new Map(Object.entries(now)), new Map(Object.entries(before))];
  return [...new Set([...is.keys(), ...was.keys()])]
    .filter((name) => !isDeepStrictEqual(is.get(name), was.get(name)))
    .map((name) => `${section}.${name}`);
}

/** Undefined where nothing is another. */
export function settingsChanged(
  now: SettingsSections,
  before: SettingsSections,
): EventOf<'server.settingsChanged'> | undefined {
  const sections = ['game', 'server'] as const;
  const fields = sections.flatMap((name) => differing(name, now[name], before[name]));
  return fields.length === 0 ? undefined : { type: 'server.settingsChanged', data: { fields } };
}
