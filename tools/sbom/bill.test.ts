import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect, it } from 'vitest';
import { billOf, billText, debianComponent, nodeComponent, withComponents } from './bill.ts';

const strict = new Validation.JsonStrictValidator(Spec.Version.v1dot6);

const text = 'as it is';
const bill = withComponents(
  billOf({ name: '@steward/control-api', version: '1.2.3-rc.1', license: 'MIT' }, [
    { name: 'fastify', version: '5.12.8', licence: 'MIT', text },
    { name: '@fastify/websocket', version: '11.3.6', licence: 'MIT AND (ISC OR BSD-3-Clause)', text },
  ]),
  [nodeComponent(), debianComponent('libc6')],
);

it('is what the schema of CycloneDX has, which finds what is not', async () => {
  expect(await strict.validate(billText(bill))).toBeNull();
  const wrong = [
    { ...bill, made: 'today' },
    { ...bill, version: 'first' },
    { ...bill, components: [{ ...bill.components[0], type: 'thing' }] },
    { ...bill, components: [bill.components[0], bill.components[0]] },
  ];
  for (const each of wrong) expect(await strict.validate(JSON.stringify(each))).not.toBeNull();
});

it('names each part as those name it who list vulnerabilities', () => {
  expect(bill.components.map(({ purl }) => purl)).toEqual([
    'pkg:npm/fastify@5.12.8',
    'pkg:npm/%40fastify/websocket@11.3.6',
    `pkg:generic/node@${process.versions.node}`,
    expect.stringMatching(/^pkg:deb\/debian\/libc6@2\.\d\S*\?arch=\w+&distro=debian-\d+&upstream=glibc$/),
  ]);
});

it('is the same whenever it is made', () => {
  expect(billText(bill)).toBe(billText(structuredClone(bill)));
  expect(billText(bill)).not.toMatch(/timestamp|serialNumber/);
});
