const everyMs = 5;

/** Shorter turns are told only as the longest so far. */
const longMs = 50;

const announcement = /^turn of ([\d.]+) ms$/;

/**
 * Prints how much processor time the event loop's thread took without coming round, each time that it was long, or longer than ever
 * before, and at the end what 99 of 100 turns since the last SIGWINCH stayed below.
 * Unlike the time that passed, it does not grow because other programs want the processor, too.
 */
export function announceLongTurns(): void {
  let longestMs = 0;
  const turnsMs: number[] = [];
  process.on('SIGWINCH', () => turnsMs.splice(0));
  process.on('exit', () => {
    const at = turnsMs.toSorted((one, other) => one - other)[Math.floor(turnsMs.length * 0.99)] ?? 0;
    process.stdout.write(`p99 of ${turnsMs.length} turns: ${at.toFixed(1)} ms\n`);
  });
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    const ms = (user + system) / 1_000;
    turnsMs.push(ms);
    if (ms <= longestMs && ms < longMs) return;
    longestMs = Math.max(ms, longestMs);
    process.stdout.write(`turn of ${ms.toFixed(1)} ms\n`);
  }, everyMs).unref();
}

/** Every long turn that a program announced, and the longest of all in any case. */
export function announcedTurnsMs(lines: readonly string[]): readonly number[] {
  const turns = lines.flatMap((line) => Number(announcement.exec(line)?.[1] ?? Number.NaN));
  return turns.filter((ms) => !Number.isNaN(ms));
}

/** The 99th percentile that a program told when it ended. */
export function turnAtP99Ms(lines: readonly string[]): number {
  return Math.max(0, ...lines.map((line) => Number(/^p99 of \d+ turns: ([\d.]+) ms$/.exec(line)?.[1] ?? 0)));
}
