import { arch, availableParallelism, platform, totalmem } from 'node:os';

const gibibyte = 1024 ** 3;

/** The machine as far as it matters for a figure; nothing that names it. */
export function machine(): string {
  const memory = Math.round(totalmem() / gibibyte);
  return `${availableParallelism()} cores, ${memory} GiB, ${platform()} ${arch()}, Node ${process.versions.node}`;
}
