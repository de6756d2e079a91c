import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Component } from '../sbom/bill.ts';

/** The Node that runs this, which is the one that an image gets. */
export function nodeComponent(): Component {
  const version = process.versions.node;
  const purl = `pkg:generic/node@${version}`;
  return {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version,
    licenses: [{ expression: 'MIT' }],
    // By this name it stands in the lists of vulnerabilities.
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl,
  };
}

/** What Debian's own list of vulnerabilities goes by is the source that a package is made of. */
const format = ['Version', 'Architecture', 'source:Package'].map((field) => `\${${field}}`).join('\\n');

/** A package of the Debian that this runs on. */
export function debianComponent(name: string): Component {
  const said = execFileSync('dpkg-query', ['--show', '--showformat', format, name], { encoding: 'utf8' });
  const [version = '', arch = '', upstream = ''] = said.split('\n');
  const [, release = ''] = /^VERSION_ID="?([\d.]+)/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
  const qualifiers = new URLSearchParams({ arch, distro: `debian-${release}`, upstream });
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${qualifiers}`;
  return { type: 'library', 'bom-ref': purl, name, version, purl };
}
