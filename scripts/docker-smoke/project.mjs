import { spawnSync } from 'node:child_process';
import { output, run, say } from './engine.mjs';
import { until } from './until.mjs';

// The first health check comes after seconds, and each container waits for the one that it needs.
const healthyWithinMs = 120_000;

/** docker-compose.yml under a project name and image names of its own, so that nothing of the machine's own is touched. */
export class Project {
  /** With a name after it, another one of the same images, as on another machine. */
  constructor(settings, after = '') {
    const name = `steward-smoke-${process.pid}`;
    this.name = `${name}${after}`;
    this.images = Object.fromEntries(
      ['SERVER', 'PLATFORM_AUTH', 'DEMO_FARM', 'DEMO_PLATFORM', 'DISCORD_BOT', 'MCP'].map((part) => [
        `${part}_IMAGE`,
        `${name}-${part.toLowerCase().replaceAll('_', '-')}`,
      ]),
    );
    this.env = { ...process.env, ...this.images, ...settings };
    this.overrides = [];
    /** An operator's `.env`, where it is another than the checkout's. */
    this.envFile = undefined;
  }

  /** Compose as the machine has it, version 2 or 1.29. */
  command(...args) {
    const second = spawnSync('docker', ['compose', 'version']).status === 0;
    const files = ['docker-compose.yml', ...this.overrides].flatMap((file) => ['-f', file]);
    const env = this.envFile === undefined ? [] : ['--env-file', this.envFile];
    const program = second ? ['docker', 'compose'] : ['docker-compose'];
    return [...program, ...env, '-p', this.name, ...files, ...args];
  }

  /** With the profiles of all that is built here, which change nothing for services that are named. */
  compose(...args) {
    const profiles = ['demo', 'discord', 'mcp'].flatMap((profile) => ['--profile', profile]);
    run(this.command(...profiles, ...args), this.env);
  }

  async up(targets, services = targets) {
    this.compose('up', '-d', '--no-build', ...targets);
    for (const service of services) await this.healthy(service);
  }

  async healthy(service) {
    await until(`${service} is healthy`, healthyWithinMs, () => {
      const status = this.inspect(service, '{{.State.Status}}');
      if (!['running', 'restarting'].includes(status)) throw new Error(`${service} does not stay up`);
      return this.inspect(service, '{{.State.Health.Status}}') === 'healthy';
    });
    say(`${service} is healthy`);
  }

  container(service) {
    const labels = {
      'com.docker.compose.project': this.name,
      'com.docker.compose.service': service,
      'com.docker.compose.oneoff': 'False',
    };
    const filters = Object.entries(labels).flatMap(([name, value]) => ['--filter', `label=${name}=${value}`]);
    return output('docker', ['ps', '--all', '--quiet', ...filters]);
  }

  inspect(service, format) {
    return output('docker', ['inspect', '--format', format, this.container(service)]);
  }

  /** What a command prints that runs in the service's container. */
  inside(service, ...command) {
    return output('docker', ['exec', this.container(service), ...command]);
  }

  log(service) {
    const { stdout, stderr } = spawnSync('docker', ['logs', this.container(service)], { encoding: 'utf8' });
    return stdout + stderr;
  }

  /** All but the images. */
  empty() {
    this.compose('down', '--volumes');
  }

  remove() {
    this.empty();
    run(['docker', 'rmi', '--force', ...Object.values(this.images)]);
  }
}
