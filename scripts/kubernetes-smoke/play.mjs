import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '../docker-smoke/until.mjs';
import { podman, say, tried } from './engine.mjs';

// Of an engine that works, on a machine that is busy.
const goneWithinMs = 30_000;

/** A pod that is run in a kubelet's order: native sidecars first, each once its startup probe is content; last they go. */
export class PlayedPod {
  constructor(pod) {
    this.pod = pod;
  }

  async start() {
    const { name, objects, sidecars, containers } = this.pod;
    await podman(['kube', 'play', '--start=false', '-'], {
      input: objects.map((each) => JSON.stringify(each)).join('\n---\n'),
    });
    for (const { name: container, startup, others } of [...sidecars, ...containers]) {
      await podman(['start', `${name}-${container}`]);
      this.address ??= await addressOf(name);
      if (startup !== undefined) await this.#content(container, startup);
      for (const probe of others) await this.#content(container, probe);
    }
    say(`${name} runs at ${this.address}, and each of its probes is content`);
  }

  async #content(container, { path, port, limitMs }) {
    await until(`GET ${path} of ${container} is answered with 200`, limitMs, async () => {
      if ((await this.stateOf(container)).Status !== 'running')
        throw new Error(`${container} does not stay up:\n${await this.log(container)}`);
      const answer = await fetch(`http://${this.address}:${port}${path}`).catch(() => undefined);
      return answer?.status === 200;
    });
  }

  /** What a kubelet does with a pod that is deleted: hooks, SIGTERM, then the sidecars, all of it within the grace period. */
  async stop() {
    const { name, sidecars, containers, graceMs } = this.pod;
    const end = performance.now() + graceMs;
    const left = () => String(Math.max(1, Math.floor((end - performance.now()) / 1_000)));
    for (const wave of [containers, sidecars.toReversed()]) {
      for (const { name: container, preStop } of wave) {
        const begun = performance.now();
        if (preStop !== undefined) {
          await podman(['exec', `${name}-${container}`, ...preStop]);
          say(`preStop of ${container} has ended well after ${seconds(begun)}`);
        }
        await podman(['stop', '--time', left(), `${name}-${container}`]);
        const { ExitCode } = await this.stateOf(container);
        say(`${container} has ended ${seconds(begun)} after it was told to, with exit code ${ExitCode}`);
        if (ExitCode !== 0)
          throw new Error(`${container} does not stop as it should:\n${await this.log(container)}`);
      }
    }
    await this.remove();
  }

  /** For a pod that ends by itself. */
  async ended(limitMs) {
    const [{ name: container }] = this.pod.containers;
    await until(`${container} has ended`, limitMs, async () => {
      return (await this.stateOf(container)).Status === 'exited';
    });
    const { ExitCode } = await this.stateOf(container);
    if (ExitCode !== 0) throw new Error(`${container} ended with ${ExitCode}:\n${await this.log(container)}`);
  }

  /** All but what outlives a pod: what begins empty does so each time. */
  async remove() {
    const { name, objects } = this.pod;
    await tried(['pod', 'rm', '--force', '--time', '1', name]);
    await until(`${name} is gone`, goneWithinMs, async () => {
      return (await tried(['pod', 'exists', name])).status !== 0;
    });
    const { volumes } = objects.find(({ kind }) => kind === 'Pod').spec;
    for (const { name: volume, emptyDir } of volumes) if (emptyDir) await tried(['volume', 'rm', volume]);
    this.address = undefined;
  }

  inside(container, ...command) {
    return podman(['exec', `${this.pod.name}-${container}`, ...command]);
  }

  /** With a file here as what the command reads or prints. */
  async piped(container, command, redirection) {
    const line = `podman exec --interactive ${this.pod.name}-${container} ${command} ${redirection}`;
    await promisify(execFile)('sh', ['-c', line]);
  }

  async stateOf(container) {
    return JSON.parse(
      await podman(['inspect', '--format', '{{json .State}}', `${this.pod.name}-${container}`]),
    );
  }

  async log(container) {
    const { stdout, stderr } = await tried(['logs', '--tail', '40', `${this.pod.name}-${container}`]);
    return stdout + stderr;
  }

  /** For who has to find out what went wrong. */
  async tellAll() {
    for (const { name } of [...this.pod.sidecars, ...this.pod.containers])
      console.error(`--- ${this.pod.name} ${name}\n${await this.log(name)}`);
  }

  get api() {
    return `http://${this.address}:8080`;
  }
}

async function addressOf(pod) {
  const infra = await podman(['pod', 'inspect', '--format', '{{.InfraContainerID}}', pod]);
  const networks = JSON.parse(
    await podman(['inspect', '--format', '{{json .NetworkSettings.Networks}}', infra]),
  );
  return Object.values(networks)[0].IPAddress;
}

function seconds(begun) {
  return `${((performance.now() - begun) / 1_000).toFixed(1)} s`;
}
