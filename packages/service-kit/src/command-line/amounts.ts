const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;
const step = 1000;

/** Bytes for people, three digits or so: `612 MB`, `1.48 GB`. */
export function inBytes(bytes: number): string {
  let amount = Math.max(0, bytes);
  let unit = 0;
  // What would be rounded up to 1000 is 1 of the next unit.
  while (amount >= step - 0.5 && unit < units.length - 1) {
    amount /= step;
    unit += 1;
  }
  const digits = unit === 0 || amount >= 99.95 ? 0 : amount >= 9.995 ? 1 : 2;
  return `${amount.toFixed(digits)} ${units[unit]}`;
}

const secondMs = 1_000;
const minuteSeconds = 60;
const hourMinutes = 60;

/** A time span for people: `48 s`, `3 min 20 s`, `2 h 5 min`. */
export function inTime(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / secondMs));
  if (seconds < minuteSeconds) return `${seconds} s`;
  const minutes = Math.floor(seconds / minuteSeconds);
  if (minutes < hourMinutes) return `${minutes} min ${seconds % minuteSeconds} s`;
  return `${Math.floor(minutes / hourMinutes)} h ${minutes % hourMinutes} min`;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
