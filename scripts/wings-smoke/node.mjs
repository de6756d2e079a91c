import { randomUUID } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engine } from './engine-api.mjs';

// What Wings' installer makes of its user `pelican`; without root, files can only be ours.
const wingsUser = 987;
export const user = process.getuid() === 0 ? wingsUser : process.getuid();

/** A node as Wings prepares it: its network, a directory for each server, and the user that all of them run as. */
export class Node {
  constructor() {
    this.network = `steward-wings-${process.pid}`;
    this.root = mkdtempSync(join(tmpdir(), 'steward-wings-'));
    chmodSync(this.root, 0o755);
    // Wings gives its user a name in each container.
    writeFileSync(
      join(this.root, 'passwd'),
      `container:x:${user}:${user}::/home/container:/usr/sbin/nologin`,
    );
    writeFileSync(join(this.root, 'group'), `container:x:${user}:container`);
  }

  async prepare() {
    await engine('POST', '/networks/create', {
      Name: this.network,
      Driver: 'bridge',
      Options: {
        encryption: 'false',
        'com.docker.network.bridge.default_bridge': 'false',
        'com.docker.network.bridge.enable_icc': 'true',
        'com.docker.network.bridge.enable_ip_masquerade': 'true',
        'com.docker.network.bridge.host_binding_ipv4': '0.0.0.0',
        'com.docker.network.driver.mtu': '1500',
      },
    });
    const { IPAM } = await engine('GET', `/networks/${this.network}`);
    this.address = IPAM.Config[0].Gateway;
    const { CgroupVersion } = await engine('GET', '/info');
    this.mayOutliveMemory = CgroupVersion === '1';
  }

  /** A directory that the node's user may write to. */
  directory(name) {
    const path = join(this.root, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chownSync(path, user, user);
    return path;
  }

  newServer() {
    const uuid = randomUUID();
    return { uuid, volume: this.directory(uuid) };
  }

  async remove(containers) {
    for (const container of containers)
      await engine('DELETE', `/containers/${container}?force=1&v=1`).catch(() => undefined);
    await engine('DELETE', `/networks/${this.network}`);
    rmSync(this.root, { recursive: true, force: true });
  }
}
