import { CdnHost, type CdnSurroundings } from './cdn-host.ts';
import type { CdnHostPlan } from './cdn-host-plan.ts';

/** The content servers of one platform. */
export class Cdn implements AsyncDisposable {
  readonly hosts: readonly CdnHost[];

  private constructor(hosts: readonly CdnHost[]) {
    this.hosts = hosts;
  }

  static async start(plans: readonly CdnHostPlan[], surroundings: CdnSurroundings): Promise<Cdn> {
    return new Cdn(await Promise.all(plans.map((plan) => CdnHost.start(plan, surroundings))));
  }

  host(name: string): CdnHost {
    const found = this.hosts.find((host) => host.plan.name === name);
    if (found !== undefined) return found;
    const names = this.hosts.map((host) => host.plan.name).join(', ');
    throw new Error(`no content server is called "${name}"; there are ${names}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.hosts.map((host) => host[Symbol.asyncDispose]()));
  }
}
