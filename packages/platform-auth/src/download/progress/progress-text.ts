import { counted, inBytes, inTime } from '@steward/service-kit/text/amounts';
import type { DownloadStage } from '@steward/shared/sidecar/download';
import type { Amount, PlanFigures } from '../plan/plan.ts';
import type { DownloadSummary, ProgressSnapshot } from './progress.ts';

export const stageNames: Readonly<Record<DownloadStage, string>> = {
  locking: 'Preparing GAME_DIR',
  recovering: 'Completing an interrupted run',
  listing: 'Reading the list of files from the platform',
  checking: 'Checking the existing files',
  fetching: 'Downloading',
  finishing: 'Checking and storing',
  publishing: 'Moving the files into place',
};

/** Narrower bars say nothing. */
const leastBarWidth = 8;
const mostBarWidth = 40;
const shareOfBar = 0.2;

/**
 * Where a download stands, in one line of no more than `width` columns. What does not fit is left out: the bar first of all, then the
 * rate, the share and the time left.
 */
export function progressLine(snapshot: ProgressSnapshot, width: number): string {
  const line = fitting(partsOf(snapshot), width);
  const room = width - line.length - 3;
  if (snapshot.totalBytes === 0 || room < leastBarWidth) return cut(line, width);
  // By the width alone, so that it stays as it is while the figures beside it change; the rest is for the file's name.
  const wish = Math.min(mostBarWidth, Math.max(leastBarWidth, Math.floor(width * shareOfBar)));
  const barWidth = Math.min(wish, room);
  const filled = Math.floor(shareOf(snapshot) * barWidth);
  const bar = `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`;
  return withFile(`${bar} ${line}`, snapshot.file, width);
}

/** The same for a log, where nothing moves. */
export function progressText(snapshot: ProgressSnapshot): string {
  return joined(partsOf(snapshot)).trim();
}

interface Part {
  readonly text: string;
  /** The highest goes first where there is no room for all. */
  readonly rank: number;
}

function partsOf(snapshot: ProgressSnapshot): readonly Part[] {
  const { stage, totalBytes, doneBytes, bytesPerSecond, leftMs } = snapshot;
  if (totalBytes === 0) return [{ text: stageNames[stage], rank: 0 }];
  return [
    { text: `${String(Math.floor(shareOf(snapshot) * 100)).padStart(3)}%`, rank: 2 },
    { text: `${inBytes(doneBytes)} of ${inBytes(totalBytes)}`, rank: 0 },
    ...(bytesPerSecond > 0 ? [{ text: `${inBytes(bytesPerSecond)}/s`, rank: 3 }] : []),
    ...(leftMs === undefined ? [] : [{ text: `${inTime(leftMs)} left`, rank: 1 }]),
  ];
}

/** As many as there is room for; the first alone, where it has to be cut anyway. */
function fitting(parts: readonly Part[], width: number): string {
  for (let highest = 3; highest >= 0; highest -= 1) {
    const line = joined(parts.filter(({ rank }) => rank <= highest));
    if (line.length <= width) return line;
  }
  return joined(parts.slice(0, 1));
}

function joined(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join('  ');
}

function shareOf({ doneBytes, totalBytes }: ProgressSnapshot): number {
  return Math.min(1, doneBytes / totalBytes);
}

/** A file's name is cut at its beginning: the end tells more. */
function withFile(line: string, file: string | undefined, width: number): string {
  const room = width - line.length - 2;
  if (file === undefined || room < leastBarWidth) return line;
  const shown = asciiOf(file);
  return `${line}  ${shown.length <= room ? shown : `...${shown.slice(3 - room)}`}`;
}

/** Wide characters would make the line longer than it is counted. */
function asciiOf(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?');
}

function cut(line: string, width: number): string {
  return line.slice(0, Math.max(0, width));
}

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
    ...(stagedBytes > 0 ? [`  ${inBytes(stagedBytes)} of it were downloaded by an earlier run`] : []),
    ...(reusedBytes > 0 ? [`  ${inBytes(reusedBytes)} of it are in existing files`] : []),
    `To fetch   ${inBytes(toFetch.bytes)} in ${counted(toFetch.chunks, 'chunk')}, ${inBytes(toFetch.storedBytes)} on the wire`,
    ...(toRemove > 0 ? [`To remove  ${counted(toRemove, 'file')} of the previous version`] : []),
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

/** What has become of a download that somebody stopped. */
export const whenStopped = 'what was downloaded is kept. Run `platform-auth download` to continue';

/** The same where its files were being moved into place, which is finished first: meanwhile, in the end, or where that failed. */
export const whenMoving = {
  begins: 'The files are being moved into place: this is finished first. Ctrl-C again stops it half-way',
  done: 'the game is complete',
  recovered:
    'what an interrupted run had begun is complete. Run `platform-auth download` to look for a newer version',
  failed: 'the files could not all be moved into place. Run `platform-auth download` to complete that',
} as const;

/** What came of a download, for people. */
export function summaryText(
  { figures, wasThere }: DownloadSummary,
  { fetchedBytes, storedBytes, elapsedMs }: ProgressSnapshot,
  gameDirectory: string,
): readonly string[] {
  const { kept, stripped, toWrite } = figures;
  const whole = `${counted(kept.files, 'file')}, ${inBytes(kept.bytes)} in ${gameDirectory}`;
  if (wasThere) return [`Nothing to download: ${whole} (${inTime(elapsedMs)})`];
  const rate = elapsedMs > 0 ? `, ${inBytes((fetchedBytes * 1000) / elapsedMs)}/s` : '';
  return [
    `Done in ${inTime(elapsedMs)}: ${whole}`,
    `  fetched ${inBytes(fetchedBytes)} (${inBytes(storedBytes)} on the wire${rate})`,
    `  wrote ${counted(toWrite.files, 'file')}, left out ${counted(stripped.files, 'file')} of ${inBytes(stripped.bytes)}`,
  ];
}
