import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A place in a stack trace: `file:///app/dist/serve.js:120:15`. */
const place = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

/**
 * A stack trace whose places are those of the sources, where a source map tells them. Node could do it by itself
 * (`--enable-source-maps`), at the price of 70 ms and 13 MB for each start; so maps are read when something went wrong.
 */
export function sourceStack(stack: string): string {
  return stack.replace(place, (written, url: string, line: string, column: string) => {
    const found = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (found === undefined || !('originalSource' in found)) return written;
    return `${new URL(found.originalSource, url)}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });
}

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(url));
  return maps.get(url);
}

/** Without a map, or with one that cannot be read, the trace stays as it is. */
function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}
