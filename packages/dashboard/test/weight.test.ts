import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { dashboardDirectory, freshDashboard } from '../build.ts';

const firstBytes = 25_600;
const allBytes = 71_680;

beforeAll(async () => {
  await freshDashboard();
});

/** What is sent of a file to a browser that takes the best. */
function sent(file: string): number {
  const compressed = statSync(join(dashboardDirectory, `${file}.br`), { throwIfNoEntry: false });
  return (compressed ?? statSync(join(dashboardDirectory, file))).size;
}

it('is light: what the first view needs, and all of it', () => {
  const html = readFileSync(join(dashboardDirectory, 'index.html'), 'utf8');
  const first = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);
  expect(first.length).toBeGreaterThan(1);
  const all = globSync('**/*.{js,css,html,svg}', { cwd: dashboardDirectory });
  const weigh = (files: readonly string[]) => files.reduce((sum, file) => sum + sent(file), 0);
  expect(weigh(['index.html', ...first])).toBeLessThanOrEqual(firstBytes);
  expect(weigh(all)).toBeLessThanOrEqual(allBytes);
});

it('asks nobody else for anything, and has nothing that its policy would not let in', () => {
  const html = readFileSync(join(dashboardDirectory, 'index.html'), 'utf8');
  expect(html).toContain('<!-- facts -->');
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|https?:/);
  const styles = globSync('assets/*.css', { cwd: dashboardDirectory });
  for (const file of styles)
    expect(readFileSync(join(dashboardDirectory, file), 'utf8')).not.toMatch(/url\(|@import/);
});
