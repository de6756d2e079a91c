/** The section of one version in a changelog whose sections start with `## <version>`, without that heading. */
export function notesOf(changelog, version) {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  if (start === -1) throw new Error(`the changelog has no section "## ${version}"`);
  const end = lines.findIndex((line, index) => index > start && line.startsWith('## '));
  const notes = lines
    .slice(start + 1, end === -1 ? undefined : end)
    .join('\n')
    .trim();
  if (notes === '') throw new Error(`the changelog's section "## ${version}" is empty`);
  return notes;
}
