import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ShippedPackage } from './shipped-packages.ts';

/** Scanners of images look for files that end so. */
export const billName = 'sbom.cdx.json';

/** What of a component of CycloneDX is said here. */
export interface Component {
  readonly type: 'application' | 'library' | 'platform';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly [{ readonly expression: string }];
  readonly cpe?: string;
  readonly purl?: string;
}

/**
 * A bill of materials in CycloneDX (ECMA-424), for who has to know whether something that is found to be vulnerable is in here. It has
 * neither a number nor a time of its own: the same sources make the same bill.
 */
export interface Bill {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.6';
  readonly version: 1;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

export interface Subject {
  readonly name: string;
  readonly version: string;
  readonly license?: string | undefined;
}

export function billOf({ name, version, license }: Subject, packages: readonly ShippedPackage[]): Bill {
  const purl = npmUrl(name, version);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': purl,
        name,
        version,
        ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
        purl,
      },
    },
    components: packages.map(componentOf),
  };
}

/** With what is around it, in an image. */
export function withComponents(bill: Bill, more: readonly Component[]): Bill {
  return { ...bill, components: [...bill.components, ...more] };
}

export function billText(bill: Bill): string {
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

function componentOf({ name, version, licence }: ShippedPackage): Component {
  const purl = npmUrl(name, version);
  return { type: 'library', 'bom-ref': purl, name, version, licenses: [{ expression: licence }], purl };
}

function npmUrl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

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
