import type { ExistingFarm } from '../farm/existing-farm.ts';
import { GameThreadBlocked, type ThreadBudgets } from '../farm/game-thread.ts';
import type { Exchange } from './exchange.ts';
import { readsOf } from './reads.ts';
import { isWait, waitFor } from './waits.ts';
import { worldsOf } from './worlds.ts';
import { writesOf } from './writes.ts';

const publicPaths = ['/health', '/wait/health', '/stats', '/docs', '/swagger/v1/swagger.json'];

export interface DispatchParts {
  readonly farm: ExistingFarm;
  readonly key: string;
  readonly startedAt: Date;
  readonly budgets: ThreadBudgets;
}

/** Answers one request, in the order in which the existing server decides. */
export function dispatcher({
  farm,
  key,
  startedAt,
  budgets,
}: DispatchParts): (exchange: Exchange) => Promise<void> {
  const reads = readsOf(farm, startedAt);
  const writes = writesOf(farm, budgets);
  const worlds = worldsOf(farm);

  return async (exchange) => {
    const { method, path } = exchange;
    if (farm.snapshot !== undefined) exchange.snapshotAgeMs = performance.now() - farm.snapshot.takenAt;
    // Its listener refuses this before the application sees it.
    if (method === 'POST' && !hasLength(exchange))
      return exchange.text(411, 'text/html', '<h1>Length Required</h1>');
    if (!publicPaths.includes(path) && !isAllowed(exchange, key))
      return exchange.json(
        401,
        { error: 'Unauthorized: send Authorization: Bearer <key>' },
        { 'WWW-Authenticate': 'Bearer' },
      );
    if (!['GET', 'POST', 'DELETE'].includes(method))
      return exchange.json(405, { error: 'Method not allowed' });
    const read = method === 'GET' ? reads[path.replace(/^\/wait\//, '/')] : undefined;
    if (read !== undefined && isWait(path)) return waitFor(exchange, farm, read);
    if (read !== undefined && !path.startsWith('/wait/')) return exchange.json(200, read());
    const world = await worlds[`${method} ${path}`]?.(exchange);
    if (world !== undefined) return exchange.json(world.status, world.body);
    const write = writes[`${method} ${path}`];
    if (write === undefined) return exchange.json(404, { error: 'Not found', path });
    try {
      return exchange.json(200, await write(exchange));
    } catch (error) {
      if (error instanceof GameThreadBlocked)
        return exchange.json(503, { error: 'Game thread is blocked, retry later', retry: true });
      return exchange.json(500, { error: 'Internal server error' });
    }
  };
}

function hasLength({ request: { headers } }: Exchange): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function isAllowed({ request: { headers } }: Exchange, key: string): boolean {
  if (key === '') return true;
  const [, token] = /^bearer (.*)$/i.exec(headers.authorization ?? '') ?? [];
  return token?.trim() === key;
}
