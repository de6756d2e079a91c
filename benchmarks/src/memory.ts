import { readdirSync, readFileSync } from 'node:fs';

const kibPerMb = 1_024;

/** Resident memory of a process now, in MB. */
export function residentMb(pid: number | undefined): number {
  return fromStatus(pid, 'VmRSS');
}

/**
 * The most that a process has had resident since its program began, in MB. `maxRSS` would count what its parent had when
 * it was forked.
 */
export function peakMb(pid: number): number {
  return fromStatus(pid, 'VmHWM');
}

/** What a process takes of the machine now, in MB: of what it shares with others, such as Node itself, its share. */
export function proportionalMb(pid: number | undefined): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]) / kibPerMb;
}

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number): readonly number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number),
  );
}

function fromStatus(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / kibPerMb;
}
