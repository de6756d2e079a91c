import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = 0;
// What a kubelet makes of a directory with an `fsGroup`: its group writes, and so does whoever is in it of what comes.
const groupsDirectory = 0o2775;
const filesMode = 0o644;

/**
 * What a kubelet mounts into pods, which Podman's volumes are not: those take owner, mode and content from the image. A claim is a
 * new disk, empty but for what each has that was formatted, of root and the pod's group; texts are links to a directory with a date.
 */
export class Mounts {
  constructor(directory) {
    this.directory = directory;
  }

  /** The same disk for who names it again. */
  claim(name, { fsGroup = root } = {}) {
    const path = join(this.directory, 'claims', name);
    if (existsSync(path)) return path;
    ofGroup(path, groupsDirectory, fsGroup);
    ofGroup(join(path, 'lost+found'), 0o2770, fsGroup);
    return path;
  }

  /** Of a Secret or a ConfigMap, for one pod. */
  texts(name, texts, { fsGroup = root, mode = filesMode } = {}) {
    const path = join(this.directory, 'texts', name);
    const dated = '..2026_01_01_00_00_00.1';
    ofGroup(join(path, dated), groupsDirectory, fsGroup);
    symlinkSync(dated, join(path, '..data'));
    for (const [file, text] of Object.entries(texts)) {
      writeFileSync(join(path, dated, file), text);
      chownSync(join(path, dated, file), root, fsGroup);
      chmodSync(join(path, dated, file), mode);
      symlinkSync(join('..data', file), join(path, file));
    }
    return path;
  }
}

function ofGroup(path, mode, group) {
  mkdirSync(path, { recursive: true });
  chownSync(path, root, group);
  chmodSync(path, mode);
}
