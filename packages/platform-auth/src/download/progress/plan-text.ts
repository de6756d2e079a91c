import { counted, inBytes } from '@steward/service-kit/command-line/amounts';
import type { Amount, PlanFigures } from '../plan/plan-figures.ts';

/** The plan for people, a line each; `whole` also says what is left out, kind by kind. */
export function planText(figures: PlanFigures, whole: boolean): readonly string[] {
  const strippedBy = whole ? figures.strippedBy : [];
  const { toFetch, reusedBytes, stagedBytes, toRemove } = figures;
  return [
    `Kept       ${filesAndBytes(figures.kept)}`,
    `Stripped   ${filesAndBytes(figures.stripped)}`,
    ...strippedBy.map((row) => `  ${row.what}: ${filesAndBytes(row)}. ${row.reason}`),
    `There      ${filesAndBytes(figures.there)}`,
    `To write   ${filesAndBytes(figures.toWrite)}`,
    ...(stagedBytes > 0 ? [`  ${inBytes(stagedBytes)} of it were fetched by an earlier run`] : []),
    ...(reusedBytes > 0 ? [`  ${inBytes(reusedBytes)} of it are in the files that are there`] : []),
    `To fetch   ${inBytes(toFetch.bytes)} in ${counted(toFetch.chunks, 'chunk')}, ${inBytes(toFetch.storedBytes)} on the wire`,
    ...(toRemove > 0 ? [`To remove  ${counted(toRemove, 'file')} of the version before`] : []),
  ];
}

function filesAndBytes({ files, bytes }: Amount): string {
  return `${counted(files, 'file')}, ${inBytes(bytes)}`;
}

/** What the download takes of the disk before anything old is given back, beside what is free. */
export function roomText({ toWrite, stagedBytes }: PlanFigures, freeBytes: number): readonly string[] {
  const needed = toWrite.bytes - stagedBytes;
  return needed === 0 ? [] : [`Disk       ${inBytes(needed)} needed, ${inBytes(freeBytes)} free`];
}
