import type { Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The longest of what a page did in one go, which whoever touches it then waits for. */
export interface LongestTask {
  readonly ms: number;
  /** Of the processor's time: other programs on the machine do not add to it. */
  readonly processorMs: number;
}

/** Has something done with a page and looks, in Chromium’s trace, at the threads that draw pages and run what these bring along. */
export async function longestTask(page: Page, act: () => Promise<unknown>): Promise<LongestTask> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('A page without a browser has no trace');
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  let trace: Buffer | undefined;
  try {
    await laterTask(page);
    await act();
    await laterTask(page);
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const drawing = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = traceEvents.filter(
    (event) => event.ph === 'X' && event.name.endsWith('RunTask') && drawing.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error('The trace shows no task of the page');
  const longest = (value: (task: TraceEvent) => number) => Math.max(...tasks.map(value)) / 1_000;
  return {
    ms: longest(({ dur = 0 }) => dur),
    processorMs: longest(({ dur, tdur = dur ?? 0 }) => tdur),
  };
}

/** The end of the last task of a thread can be missing in the trace, as its answer leaves before it ends; so can what begins as tracing does. */
function laterTask(page: Page): Promise<void> {
  return page.evaluate(() => new Promise<void>((done) => setTimeout(done)));
}
