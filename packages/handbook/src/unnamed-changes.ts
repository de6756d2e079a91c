/** What a breaking change is called by: what stands before these words in its line. */
const whatBecameOfIt =
  /:? (?:is gone|takes less|must now be given|no longer comes as .*|has another type|can now be absent)$/;

/**
 * Those of the breaking changes that no entry marked "Breaking" under *Unreleased* names. An entry names a change by quoting its
 * place in backticks, or a place that it is in: `GET /players: 200 players[]` names the change of a member of a player.
 * An operation alone names only that it is gone; whatever else became of it has to be said.
 */
export function unnamedChanges(changes: readonly string[], changelog: string): readonly string[] {
  const [, unreleased = ''] = changelog.split(/^## /m);
  const named = unreleased
    .split(/^- /m)
    .filter((entry) => /\bbreaking\b/i.test(entry))
    .flatMap((entry) =>
      [...entry.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted.replace(/\s+/g, ' ')),
    );
  return changes.filter((change) => {
    const place = change.replace(whatBecameOfIt, '');
    return !named.some((name) => names(name, place));
  });
}

function names(name: string, place: string): boolean {
  if (name === place) return true;
  const reachesInside = name.includes(': ');
  return reachesInside && place.startsWith(name) && /^[ []/.test(place.slice(name.length));
}
