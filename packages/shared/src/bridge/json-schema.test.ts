import { expect, it } from 'vitest';
import { commands } from './commands.ts';
import { bridgeJsonSchema } from './json-schema.ts';
import { notificationsOfGame, requestsOfControlApi, requestsOfGame } from './methods.ts';

const schema = bridgeJsonSchema() as { definitions: Record<string, unknown> };
const text = JSON.stringify(schema);
const typeName = (method: string) => `${method[0]?.toUpperCase()}${method.slice(1)}`;

it('defines the params of every method, and what answers each', () => {
  const answered = Object.keys({ ...requestsOfGame, ...requestsOfControlApi });
  const told = Object.keys(commands);
  const names = [
    ...[...answered, ...told, ...Object.keys(notificationsOfGame)].map((name) => `${typeName(name)}Params`),
    ...answered.map((name) => `${typeName(name)}Result`),
    ...told.map((name) => `${typeName(name)}Change`),
  ];
  expect(names.filter((name) => !Object.hasOwn(schema.definitions, name))).toEqual([]);
});

it('refers to what it defines, and to nothing else', () => {
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference);
  expect(references).toContain('#/definitions/FarmhandSlot');
  expect(
    references.filter((one) => !Object.hasOwn(schema.definitions, one.replace('#/definitions/', ''))),
  ).toEqual([]);
});

it('says nothing of the keys of the API, which no game knows', () => {
  expect(text).toContain('Accounts that become admin when they join, on either network"');
  expect(text).not.toMatch(/x-scope|moderate/);
});
