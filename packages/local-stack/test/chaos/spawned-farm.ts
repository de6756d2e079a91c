import { setTimeout as pause } from 'node:timers/promises';
import type { Blow, Strikable, Ward } from './ward.ts';

const lookAgainMs = 20;
/** Its start may have to wait for that of the control API. */
const startsWithinMs = 30_000;

const started = /"gamePid":(\d+),"msg":"the game was started"/;
const ended = /"msg":"the game has ended/;

/** A farm that the control API has started, and starts again; its log says as which process. */
export class SpawnedFarm implements Strikable {
  readonly name = 'farm';
  readonly struck: Record<Blow, number> = { SIGKILL: 0, SIGTERM: 0, SIGSTOP: 0 };
  readonly #api: Ward;

  constructor(api: Ward) {
    this.#api = api;
  }

  async strike(blow: Blow, stoppedMs: number): Promise<void> {
    let pid = await this.#pid();
    while (!signal(pid, blow)) {
      await pause(lookAgainMs);
      pid = await this.#pid();
    }
    this.struck[blow] += 1;
    if (blow !== 'SIGSTOP') return;
    await pause(stoppedMs);
    signal(pid, 'SIGCONT');
  }

  /** Of the farm that runs, or else of the next one. */
  async #pid(): Promise<number> {
    const deadline = AbortSignal.timeout(startsWithinMs);
    while (!deadline.aborted) {
      const news = this.#api.life.findLast((line) => started.test(line) || ended.test(line));
      const [, pid] = started.exec(news ?? '') ?? [];
      if (pid !== undefined) return Number(pid);
      await pause(lookAgainMs);
    }
    throw new Error('the control API starts no farm');
  }
}

/** False when it is gone already. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
