import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/** Another server draws it: GitHub, beside the files of the repository, or one of those that draw badges. */
const drawnElsewhere = /^(?:https?:|(?:\.\.\/)+actions\/)/;

/** A page, a file with an ending, a place on this page, or another site: what is left are folders and the like, which GitHub shows. */
const leadsSomewhere = /^(?:https?:|mailto:|#)|\.\w+(?:#.*)?$/;

/** Makes links that are right on GitHub right here, too: without badges and folders, and with the README as the first page. */
export function fitLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('links', ({ tokens, env }) => {
    const folder = posix.dirname(env.relativePath ?? '');
    for (const token of tokens) token.children = withFittingLinks(token.children ?? [], folder);
  });
}

function withFittingLinks(children: readonly Token[], folder: string): Token[] {
  let isLeftOut = false;
  return children.filter((child, index) => {
    if (child.type === 'image') return !isBadge(child);
    if (child.type === 'link_close') return !isLeftOut;
    if (child.type !== 'link_open') return true;
    const target = child.attrGet('href') ?? '';
    isLeftOut = isBadge(children[index + 1]) || !leadsSomewhere.test(target);
    if (posix.join(folder, target) === 'README.md')
      child.attrSet('href', target.replace(/README\.md$/, 'index.md'));
    return !isLeftOut;
  });
}

function isBadge(token: Token | undefined): boolean {
  return token?.type === 'image' && drawnElsewhere.test(token.attrGet('src') ?? '');
}
