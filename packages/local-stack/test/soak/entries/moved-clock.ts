const TrueDate = Date;
let offsetMs = 0;

/** From now on this process takes it to be so much later, or earlier, than it is; what it measures with runs on. */
export function moveClock(ms: number): void {
  offsetMs = ms;
  globalThis.Date = MovedDate;
}

const MovedDate = new Proxy(TrueDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new TrueDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

function now(): number {
  return TrueDate.now() + offsetMs;
}
