const usPerMs = 1_000;

/** What this thread has worked so far; that a busy machine has it wait is none of its doing. */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / usPerMs;
}
