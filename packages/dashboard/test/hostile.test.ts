import { expect, it } from 'vitest';
import { PageStage } from './stage/page-stage.ts';
import { barriers } from './stage/visitors.ts';

const hostile = [
  '<script>globalThis.hit = true</script>',
  '<img src=x onerror="globalThis.hit = true">',
  '"><svg onload=globalThis.hit=true>',
  'javascript:globalThis.hit=true',
  '{{constructor.constructor("globalThis.hit=true")()}}',
  '</title><style>*{display:none}</style>',
  '&lt;b&gt;&#x3c;script&#x3e;',
  '\u202Eevil\u202C',
  '\u200B\u200B\u200B',
  'a'.repeat(400),
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  '👩‍👩‍👧‍👦'.repeat(30),
  '﷽'.repeat(20),
  '__proto__',
  'null',
  '%00%0d%0aSet-Cookie:a=b',
  '$'.concat('{globalThis.hit=true}'),
  '../../etc/passwd',
  'مرحبا hello שלום',
  '-'.repeat(300),
];
const many = 100;
const names = Array.from({ length: many }, (_, index) => `${hostile[index % hostile.length]}${index}`);

it('shows names and lines as the text that they are, a hundred of them, and nothing runs or flows over', async () => {
  await using stage = await PageStage.open();
  stage.game.state.status.farmName = hostile[1] ?? '';
  stage.game.state.players = names.map((name, index) => ({
    id: String(index + 1),
    name: [...name].slice(0, 200).join(''),
    connectionId: 'L_1',
    isAdmin: false,
  }));
  stage.game.tell();
  const page = await stage.visit({ size: 'phone' });
  await page.getByRole('heading', { name: hostile[1] ?? '' }).waitFor();
  for (const [index, message] of names.entries())
    stage.game.happens({ kind: 'chat', playerId: String(index + 1), playerName: 'x', message });
  await page
    .locator('.people li')
    .nth(many - 1)
    .waitFor();
  // What happened last stands below them, and is loaded when one comes there.
  await page.keyboard.press('End');
  await page
    .getByText(names.at(-1) ?? '')
    .first()
    .waitFor();
  expect(await page.locator('.people li').count()).toBe(many);
  expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await page.locator('main :is(script, img, style)').count()).toBe(0);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('link', { name: 'Chat' }).last().click();
  const log = page.getByRole('log');
  await log
    .getByText(names.at(-1) ?? '')
    .first()
    .waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('link', { name: 'Players' }).last().click();
  await page
    .locator('.persons li')
    .nth(many - 1)
    .waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await page.locator('main :is(script, img, style)').count()).toBe(0);
  expect(await page.evaluate(() => 'hit' in globalThis)).toBe(false);
  expect(stage.complaints).toEqual([]);
});
