import { exitCodeRows } from '@steward/platform-auth/commands/run/exit-codes';

export function exitCodesPage(): string {
  const rows = exitCodeRows.map(({ code, meaning, remedy }) => `| ${code} | ${meaning} | ${remedy} |`);
  return `# Exit codes of platform-auth

Every command of the sidecar ends with one of these. What went wrong this time, and what mends it, stands on standard
error; standard output holds nothing but the value that was asked for, and nothing at all when there is none.

| Code | Meaning | What to do |
| --- | --- | --- |
${rows.join('\n')}

\`healthcheck\` knows only 0 and 1, as containers want it.
`;
}
