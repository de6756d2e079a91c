import type { Logger } from '@steward/service-kit/log/logger';
import { exitCode } from '@steward/service-kit/process/errors';
import type { Member, Service } from './member.ts';
import type { MemberLog } from './member-log.ts';
import { RunningMember } from './running-member.ts';

/** The processes that belong together: they stop in the opposite order of their start, and none goes on without the others. */
export class Stack {
  readonly #log: MemberLog;
  readonly #logger: Logger;
  readonly #members: RunningMember[] = [];
  #stopping = false;

  constructor(log: MemberLog, logger: Logger) {
    this.#log = log;
    this.#logger = logger;
  }

  get isStopping(): boolean {
    return this.#stopping;
  }

  start(member: Member, options?: { keepsFirstLine: boolean }): RunningMember {
    const running = new RunningMember(member, this.#log, options);
    this.#members.push(running);
    void running.exited.then(() => this.#ended(running));
    return running;
  }

  /** Starts a service and waits until it is ready; false when it never was. */
  startService(service: Service): Promise<boolean> {
    return this.start(service).answers(service.health, (why) => this.#logger.error(why));
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    for (const member of this.#members.toReversed()) await member.stop((why) => this.#logger.error(why));
  }

  async #ended({ name }: RunningMember): Promise<void> {
    if (this.#stopping) return;
    this.#logger.error(`${name} ended; stopping the others`);
    await this.stop();
    process.exit(exitCode.failure);
  }
}
