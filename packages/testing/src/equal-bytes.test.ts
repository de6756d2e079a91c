import { expect, it } from 'vitest';

it('bytes are equal that are the same, however deep they lie, and no others', () => {
  const files = { saves: new Map([['Meadow_1', Buffer.from('a farm')]]) };
  expect(files).toEqual({ saves: new Map([['Meadow_1', Buffer.from('a farm')]]) });
  for (const other of ['a form', 'a farm '])
    expect(files).not.toEqual({ saves: new Map([['Meadow_1', Buffer.from(other)]]) });
  expect(Buffer.from('a')).not.toEqual('a');
});
