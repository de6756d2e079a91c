import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output, run } from '../docker-smoke/engine.mjs';
import { Project } from '../docker-smoke/project.mjs';
import { root } from '../prepare/root.mjs';
import { Farm } from './farm.mjs';

const example = 'deploy/compose';
const usualImages = {
  SERVER_IMAGE: 'steward-server',
  PLATFORM_AUTH_IMAGE: 'steward-platform-auth',
  DEMO_FARM_IMAGE: 'steward-demo-farm',
  DEMO_PLATFORM_IMAGE: 'steward-demo-platform',
};

/** Farms of the example on this machine, with one emulated platform, under names of their own. */
export class Fleet {
  farms = [];
  name = `steward-fleet-${process.pid}`;

  /** The emulated platform has an account for each name. Without a build the images are those that the machine has. */
  constructor(directory, accounts, { builds }) {
    this.directory = directory;
    this.builds = builds;
    this.settings = {
      GAME_VOLUME: `${this.name}-game`,
      DEMO_PLATFORM: `${this.name}-platform`,
      ...(builds ? {} : usualImages),
    };
    this.platform = new Project(this.settings);
    this.platform.name = this.settings.DEMO_PLATFORM;
    // As on the page, and not the checkout's own .env.
    this.platform.envFile = `${example}/farms/willow.env`;
    const networks = subnets((network) => `198.19.${network}.0/24`);
    const account = (name) => ['--account', `${this.projectOf(name)}:demo`];
    this.platform.overrides = [
      `${example}/demo-platform.yml`,
      this.#write('platform', {
        services: {
          'demo-platform': {
            command: [
              ...['--host', '0.0.0.0', '--port', '8443', '--name', 'demo-platform'],
              ...['--clients', '/data/clients', '--keep', '/data/platform'],
              ...accounts.flatMap(account),
            ],
          },
        },
        networks: { ...networks, demo: { ...networks.demo, name: this.settings.DEMO_PLATFORM } },
      }),
    ];
  }

  projectOf(name) {
    return `${this.name}-${name}`;
  }

  async start() {
    if (this.builds)
      this.platform.compose('build', 'demo', 'demo-server', 'demo-platform-auth', 'demo-platform');
    run(['docker', 'volume', 'create', this.settings.GAME_VOLUME]);
    await this.platform.up(['demo-platform']);
  }

  /** What a login of the account would have saved. */
  tokenOf(name) {
    const told = this.platform.log('demo-platform');
    const [, token] = new RegExp(`account +${this.projectOf(name)},.*\\n +token +(\\S+)`).exec(told) ?? [];
    if (token === undefined) throw new Error(`the emulated platform tells no token of ${name}`);
    return token;
  }

  /** A farm with the file of one of the example; `services` changes it further. */
  async add(name, { like = name, settings = {}, services = {} } = {}) {
    const number = this.farms.length + 1;
    // An engine has addresses for some thirty networks, unless it is told of more.
    const networks = subnets((network) => `198.18.${number}.${16 * network}/28`);
    const farm = new Farm(this.projectOf(name), {
      envFile: `${example}/farms/${like}.env`,
      files: [`${example}/farm.yml`, `${example}/demo.yml`, this.#write(name, { services, networks })],
      settings: { ...this.settings, ...settings },
    });
    this.farms.push(farm);
    await farm.start();
    return farm;
  }

  /** Takes a farm away with all that it has. */
  removeFarm(farm) {
    farm.empty();
    this.farms = this.farms.filter((other) => other !== farm);
  }

  containers() {
    return [this.platform, ...this.farms].flatMap(({ name }) =>
      output('docker', ['ps', '--all', '--quiet', '--filter', `label=com.docker.compose.project=${name}`])
        .split('\n')
        .filter((id) => id !== ''),
    );
  }

  remove() {
    for (const farm of this.farms) farm.empty();
    this.platform.empty();
    run(['docker', 'volume', 'rm', '--force', this.settings.GAME_VOLUME]);
    if (this.builds) run(['docker', 'rmi', '--force', ...Object.values(this.platform.images)]);
  }

  #write(name, override) {
    const file = join(this.directory, `${name}.yml`);
    // JSON is YAML, too.
    writeFileSync(file, JSON.stringify(override));
    return file;
  }
}

/** Each network of the compose file with a subnet of its own, out of those that are set aside for tests. */
function subnets(subnet) {
  const [, section = ''] = /^networks:\n([\s\S]*?)^volumes:/m.exec(
    readFileSync(join(root, 'docker-compose.yml'), 'utf8'),
  );
  const networks = [...section.matchAll(/^ {2}([\w-]+):(\n {4}internal: true)?/gm)];
  // Compose 1.29 takes the last definition whole, and not what each adds.
  const defined = ([, name, internal], number) => [
    name,
    { internal: internal !== undefined, ipam: { config: [{ subnet: subnet(number) }] } },
  ];
  return Object.fromEntries(networks.map(defined));
}
