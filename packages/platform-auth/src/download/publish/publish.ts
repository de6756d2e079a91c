import { contentHashesName } from '../changes/content-hashes.ts';
import { type DiskSteps, replaceWhole } from '../disk/disk-steps.ts';
import { type InstalledRecord, printInstalled } from '../kept/installed.ts';
import { type Journal, type PublishStep, writeJournal, writeStagedBuild } from '../kept/journal.ts';
import { type Marker, printMarker } from '../kept/marker.ts';
import type { Places } from '../names/places.ts';
import type { Plan } from '../plan/plan.ts';
import type { FinishedFile } from './finish.ts';
import { layMarker, rollForward } from './roll-forward.ts';

export interface Publication {
  readonly plan: Plan;
  readonly finished: readonly FinishedFile[];
  readonly record: InstalledRecord;
  readonly marker: Marker;
}

/** Brings finished files into the tree. From the moment that the journal is written, nothing but completion can follow. */
export async function publish(places: Places, steps: DiskSteps, what: Publication): Promise<void> {
  await replaceWhole(steps, places.nextRecord, printInstalled(what.record));
  const journal = journalOf(what);
  await layMarker(places, steps, journal.marker);
  await writeJournal(places, steps, journal);
  await rollForward(places, steps, journal);
}

/** The same, but that nothing follows until somebody decides it. */
export async function layReady(places: Places, steps: DiskSteps, what: Publication): Promise<void> {
  await replaceWhole(steps, places.nextRecord, printInstalled(what.record));
  await writeStagedBuild(places, steps, journalOf(what));
  await steps.remove(places.staged(places.besideName));
}

function journalOf(what: Publication): Journal {
  return { steps: stepsOf(what), marker: printMarker(what.marker) };
}

/** The old goes before the new comes, and ContentHashes.json, which lists the others, comes last. */
function stepsOf({ plan, finished }: Publication): readonly PublishStep[] {
  const links = plan.missingLinks.flatMap((name) => {
    const entry = plan.entries.get(name);
    return entry?.kind === 'link' ? [{ do: 'link' as const, name, target: entry.target }] : [];
  });
  const isList = ({ name }: FinishedFile): boolean => name === contentHashesName;
  const inOrder = [...finished.filter((file) => !isList(file)), ...finished.filter(isList)];
  return [
    ...plan.leaving.map((name) => ({ do: 'remove' as const, name })),
    ...plan.leavingDirectories.map((name) => ({ do: 'remove-directory' as const, name })),
    ...plan.missingDirectories.map((name) => ({ do: 'directory' as const, name })),
    ...links,
    ...inOrder.map(({ name, from }) => ({ do: 'put' as const, name, from })),
  ];
}

/** What is ours once the plan is carried out. */
export function recordOf(
  plan: Plan,
  finished: readonly FinishedFile[],
  keptLinks: Readonly<Record<string, string>>,
): InstalledRecord {
  const links = [...plan.entries.values()].flatMap((entry) =>
    entry.kind === 'link' ? [[entry.name, entry.target] as const] : [],
  );
  return {
    version: 1,
    files: Object.fromEntries([
      ...plan.there,
      ...finished.map(({ name, installed }) => [name, installed] as const),
    ]),
    links: { ...keptLinks, ...Object.fromEntries(links) },
    directories: [...plan.ownDirectories],
  };
}
