import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { type MeasuredRow, oneOf, readWhenAsked } from './read-when-asked.ts';

it('tells what is known when it is asked, and nothing of what is no more', async () => {
  const registry = new Registry();
  const { gauge, gaugeBy, counter, counterBy } = readWhenAsked(registry);
  let age: number | undefined = 3;
  let rows: readonly MeasuredRow[] = [
    ['a', 1],
    ['b', undefined],
  ];
  gauge('age', 'h', () => age);
  gaugeBy('rows', 'h', ['which'], async () => rows);
  gaugeBy('state', 'h', ['state'], () => oneOf(['on', 'off'], 'off'));
  counter('done_total', 'h', () => 5);
  counterBy('ended_total', 'h', ['path', 'how'], () => [['x', 'well', 2]]);
  const told = async () =>
    (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const always = ['state{state="on"} 0', 'state{state="off"} 1', 'done_total 5'];
  const ended = 'ended_total{path="x",how="well"} 2';
  expect(await told()).toEqual(['age 3', 'rows{which="a"} 1', ...always, ended]);
  age = undefined;
  rows = [['b', 0]];
  expect(await told()).toEqual(['rows{which="b"} 0', ...always, ended]);
});
