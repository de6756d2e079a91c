import { filterTable } from '../filter/filter-table.ts';
import { chunksToFetch, type Plan, sum } from './plan.ts';

export interface Amount {
  readonly files: number;
  readonly bytes: number;
}

export interface StrippedAmount extends Amount {
  readonly what: string;
  readonly reason: string;
}

/** A plan in numbers: all that is known before anything is fetched. */
export interface PlanFigures {
  /** What the tree will consist of. */
  readonly kept: Amount;
  readonly stripped: Amount;
  readonly strippedBy: readonly StrippedAmount[];
  /** Of what is kept: in the tree and as it should be. */
  readonly there: Amount;
  readonly toWrite: Amount;
  /** Of what is to be written: what an interrupted run has fetched, and what the tree has in other files. */
  readonly stagedBytes: number;
  readonly reusedBytes: number;
  readonly toFetch: { readonly chunks: number; readonly bytes: number; readonly storedBytes: number };
  readonly toRemove: number;
}

export function figuresOf(plan: Plan): PlanFigures {
  const kept = [...plan.entries.values()].filter((entry) => entry.kind === 'file');
  const there = kept.filter(({ name }) => plan.there.has(name));
  const fetched = [...chunksToFetch(plan).values()];
  return {
    kept: amount(kept),
    stripped: amount(plan.stripped),
    strippedBy: filterTable.flatMap(({ what, reason }) => {
      const files = plan.stripped.filter(({ row }) => row.what === what);
      return files.length === 0 ? [] : [{ what: what.replaceAll('`', ''), reason, ...amount(files) }];
    }),
    there: amount(there),
    toWrite: amount(plan.work.map(({ file }) => file)),
    stagedBytes: sum(plan.work.flatMap(({ staged }) => [...staged].map(({ bytes }) => bytes))),
    reusedBytes: sum(plan.work.flatMap(({ local }) => local.map(({ chunk }) => chunk.bytes))),
    toFetch: {
      chunks: fetched.length,
      bytes: sum(fetched.map(({ bytes }) => bytes)),
      storedBytes: sum(fetched.map(({ storedBytes }) => storedBytes)),
    },
    toRemove: plan.leaving.length,
  };
}

function amount(files: readonly { readonly bytes: number }[]): Amount {
  return { files: files.length, bytes: sum(files.map(({ bytes }) => bytes)) };
}
