import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../prepare/root.mjs';
import { attach, engine } from './engine-api.mjs';
import { user } from './node.mjs';

const mebibyte = 1024 ** 2;
// As Wings has them where nobody has changed its configuration: up to 2 GiB it adds 15 % to what the panel says.
const overhead = 1.15;
const memoryMb = 512;
const pidsLimit = 512;
const capDrop = [
  ...['setpcap', 'mknod', 'audit_write', 'net_raw', 'dac_override', 'fowner'],
  ...['fsetid', 'net_bind_service', 'sys_chroot', 'setfcap', 'sys_ptrace'],
];
const readyWithinMs = 60_000;

/** One server of a panel: an egg with its values, in a container that is made exactly as Wings makes it. */
export class WingsServer {
  console = '';
  #terminal;

  constructor(node, file, { image, values, allocation, mounts = [], beside = {} }) {
    Object.assign(this, node.newServer());
    this.node = node;
    this.egg = JSON.parse(readFileSync(join(root, 'deploy', 'pelican', file), 'utf8'));
    this.image = image;
    this.values = values;
    this.allocation = allocation;
    this.mounts = mounts;
    this.beside = beside;
  }

  /** The egg's script in a container of its own, as root, before the first start. */
  async install(image) {
    const { script, entrypoint } = this.egg.scripts.installation;
    const { uuid, node } = this;
    const name = `${uuid}_installer`;
    const directory = node.directory(`${uuid}-install`);
    writeFileSync(join(directory, 'install.sh'), script);
    await engine('POST', `/containers/create?name=${name}`, {
      Hostname: 'installer',
      OpenStdin: true,
      Tty: true,
      Cmd: [entrypoint, '/mnt/install/install.sh'],
      Image: image,
      Env: this.environment(),
      HostConfig: {
        Mounts: [bind(this.volume, '/mnt/server'), bind(directory, '/mnt/install')],
        Tmpfs: { '/tmp': 'rw,exec,nosuid,size=100M' },
        NetworkMode: node.network,
      },
    });
    await engine('POST', `/containers/${name}/start`);
    const { StatusCode } = await engine('POST', `/containers/${name}/wait`);
    await engine('DELETE', `/containers/${name}?force=1`);
    if (StatusCode !== 0) throw new Error(`installing "${this.egg.name}" ended with ${StatusCode}`);
  }

  /** Wings makes the container anew for each start, listens to its terminal, starts it, and waits for the egg's line. */
  async start() {
    const { uuid } = this;
    await engine('DELETE', `/containers/${uuid}?v=1`).catch(() => undefined);
    await engine('POST', `/containers/create?name=${uuid}`, this.container());
    this.console = '';
    this.#terminal = await attach(uuid);
    const began = performance.now();
    const { done } = JSON.parse(this.egg.config.startup);
    const ready = new Promise((resolve, reject) => {
      const late = setTimeout(
        () => reject(new Error(`"${this.egg.name}" never says "${done}"`)),
        readyWithinMs,
      );
      this.#terminal.on('data', (text) => {
        // With its colours: the daemon looks for the line in what the terminal shows, byte for byte.
        this.console += text;
        if (!this.console.includes(done)) return;
        clearTimeout(late);
        resolve();
      });
    });
    await engine('POST', `/containers/${uuid}/start`);
    await ready;
    return performance.now() - began;
  }

  container() {
    const { allocation, node } = this;
    const ports = allocation === undefined ? [] : [`${allocation}/tcp`, `${allocation}/udp`];
    return {
      Hostname: this.uuid,
      Domainname: '',
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      OpenStdin: true,
      Tty: true,
      ExposedPorts: Object.fromEntries(ports.map((port) => [port, {}])),
      Image: this.image,
      Env: this.environment(),
      Labels: { Service: 'Pelican', ContainerType: 'server_process' },
      User: `${user}:${user}`,
      HostConfig: {
        // What is allocated on 127.0.0.1 is bound to the node's own side of the network.
        PortBindings: Object.fromEntries(
          ports.map((port) => [port, [{ HostIp: node.address, HostPort: String(allocation) }]]),
        ),
        Mounts: [
          bind(this.volume, '/home/container'),
          bind(join(node.root, 'group'), '/etc/group', true),
          bind(join(node.root, 'passwd'), '/etc/passwd', true),
          ...this.mounts.map(({ source, target }) => bind(source, target, true)),
        ],
        Tmpfs: { '/tmp': 'rw,exec,nosuid,size=100M' },
        Memory: Math.round(memoryMb * overhead * mebibyte),
        MemoryReservation: memoryMb * mebibyte,
        MemorySwap: Math.round(memoryMb * overhead * mebibyte),
        BlkioWeight: 500,
        PidsLimit: pidsLimit,
        ...(node.mayOutliveMemory ? { OomKillDisable: true } : {}),
        CpuQuota: 100_000,
        CpuPeriod: 100_000,
        CpuShares: 1024,
        Dns: ['1.1.1.1', '1.0.0.1'],
        LogConfig: {
          Type: 'local',
          Config: { 'max-size': '5m', 'max-file': '1', compress: 'false', mode: 'non-blocking' },
        },
        SecurityOpt: ['no-new-privileges'],
        ReadonlyRootfs: true,
        CapDrop: capDrop,
        NetworkMode: node.network,
        UsernsMode: '',
      },
    };
  }

  /** Every variable of the egg is passed, also those that are empty. */
  environment() {
    const defaults = this.egg.variables.map(({ env_variable, default_value }) => [
      env_variable,
      default_value,
    ]);
    return Object.entries({
      TZ: 'UTC',
      STARTUP: this.egg.startup,
      SERVER_MEMORY: String(memoryMb),
      SERVER_IP: this.node.address,
      SERVER_PORT: String(this.allocation ?? 0),
      ...Object.fromEntries(defaults),
      ...this.values,
      P_SERVER_UUID: this.uuid,
      ...this.beside,
    }).map(([name, value]) => `${name}=${value}`);
  }

  type(text) {
    this.#terminal.write(text);
  }

  /** What the panel's Stop does with `^C`: Wings sends the signal to the container. */
  signal() {
    return engine('POST', `/containers/${this.uuid}/kill?signal=SIGINT`);
  }

  /** Does what ends the server, and tells with which code and after how long it had ended. */
  async ended(how) {
    const began = performance.now();
    const exit = engine('POST', `/containers/${this.uuid}/wait`);
    await how();
    const { StatusCode } = await exit;
    this.#terminal.destroy();
    return { code: StatusCode, seconds: (performance.now() - began) / 1_000 };
  }
}

function bind(source, target, isReadOnly = false) {
  return { Type: 'bind', Source: source, Target: target, ReadOnly: isReadOnly };
}
