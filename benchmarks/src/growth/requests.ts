import { load } from '../http/load.ts';
import type { Growth } from '../page/growth-row.ts';
import { doubled } from './doubling.ts';
import { withService } from './grown-service.ts';
import { mostConnections } from './open-files.ts';

const from = 32;
const measuredMs = 3_000;

/** Connections with a request each in flight all the time. */
export function requests(): Promise<Growth> {
  return withService(async ({ server }) => {
    const { steps, end } = await doubled({
      from,
      most: { number: mostConnections(), because: 'a process may open no more files on this machine' },
      step: async (connections) => {
        const before = server.cpuMs();
        const { answers, medianMs, p99Ms } = await load(server.origin, {
          path: '/status',
          headers: {},
          connections,
          ms: measuredMs,
        });
        const eachUs = ((server.cpuMs() - before) * 1_000) / answers;
        return { number: connections, medianMs, p99Ms, eachUs, memoryMb: server.rssMb() };
      },
    });
    return {
      doubled: 'requests',
      timed: 'GET /status, so many in flight',
      steps,
      breaks: `${end}. As set out of the box, connections beyond 7,000 (2,000 and \`WS_MAX_CONNECTIONS\`) are closed at once.`,
    };
  });
}
