const everyMs = 5;

const announcement = /^longest turn ([\d.]+) ms$/;

/**
 * Prints how much processor time the event loop's thread took without coming round, each time that it was longer than ever before.
 * Unlike the time that passed, it does not grow because other programs want the processor, too.
 */
export function announceLongestTurn(): void {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    before = process.threadCpuUsage();
    const ms = (user + system) / 1_000;
    if (ms <= longestMs) return;
    longestMs = ms;
    process.stdout.write(`longest turn ${ms.toFixed(1)} ms\n`);
  }, everyMs).unref();
}

/** The last word of a program that announces it. */
export function longestTurnMs(lines: readonly string[]): number {
  const turns = lines.map((line) => Number(announcement.exec(line)?.[1] ?? 0));
  return Math.max(0, ...turns);
}
