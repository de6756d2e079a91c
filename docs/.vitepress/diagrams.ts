import { renderMermaidSVG } from 'beautiful-mermaid';
import type { MarkdownRenderer } from 'vitepress';

/** It would ask another server for a font. */
const fontFromElsewhere = /@import url\([^)]*\);/g;

/** The drawing has it in the branch before; a message, also to oneself, stays where it is. */
const noteFirst = /^ *(?:alt|else|opt|loop) (.*)\n *Note /m;

/** Draws mermaid's diagrams while the site is built, as GitHub does when it shows a page; no script draws them in the browser. */
export function drawDiagrams(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index] ?? { info: '', content: '' };
    if (info.trim() !== 'mermaid') return fence?.(tokens, index, ...rest) ?? '';
    const [, branch] = noteFirst.exec(content) ?? [];
    if (branch !== undefined) throw new Error(`the branch "${branch}" of a diagram begins with a note`);
    const colours = {
      ...{ bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)', muted: 'var(--vp-c-text-1)' },
      ...{ line: 'var(--vp-c-text-2)', border: 'var(--vp-c-text-3)', font: 'system-ui', padding: 8 },
    };
    const drawing = renderMermaidSVG(content, { ...colours, transparent: true }).replaceAll(
      fontFromElsewhere,
      '',
    );
    return `<div class="diagram" v-html="${markdown.utils.escapeHtml(JSON.stringify(drawing))}"></div>\n`;
  };
}
