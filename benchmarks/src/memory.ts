import { readFileSync } from 'node:fs';

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

function fromStatus(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / kibPerMb;
}
