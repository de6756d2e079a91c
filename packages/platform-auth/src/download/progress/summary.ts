import { counted, inBytes, inTime } from '@steward/service-kit/command-line/amounts';
import type { DownloadSummary } from './download-events.ts';
import type { ProgressSnapshot } from './progress.ts';

/** What has become of a download that somebody stopped. */
export const whenStopped = 'what was fetched is kept. Run `platform-auth download` to go on';

/** What came of a download, for people. */
export function summaryText(
  { figures, wasThere }: DownloadSummary,
  { fetchedBytes, storedBytes, elapsedMs }: ProgressSnapshot,
  gameDirectory: string,
): readonly string[] {
  const { kept, stripped, toWrite } = figures;
  const whole = `${counted(kept.files, 'file')}, ${inBytes(kept.bytes)} in ${gameDirectory}`;
  if (wasThere) return [`Everything was there: ${whole} (${inTime(elapsedMs)})`];
  const rate = elapsedMs > 0 ? `, ${inBytes((fetchedBytes * 1000) / elapsedMs)}/s` : '';
  return [
    `Done in ${inTime(elapsedMs)}: ${whole}`,
    `  fetched ${inBytes(fetchedBytes)} (${inBytes(storedBytes)} on the wire${rate})`,
    `  wrote ${counted(toWrite.files, 'file')}, left out ${counted(stripped.files, 'file')} of ${inBytes(stripped.bytes)}`,
  ];
}
