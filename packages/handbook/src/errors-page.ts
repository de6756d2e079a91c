import { problemCodes } from '@steward/shared/problems/problem-codes';

export function errorsPage(): string {
  const rows = Object.entries(problemCodes).map(
    ([code, { status, title }]) => `| ${status} | \`${code}\` | ${title} |`,
  );
  return `# Errors

Every error is \`application/problem+json\` (RFC 9457). Switch on \`code\`, which is stable; show \`detail\`, which says
what went wrong this time and what to do. \`requestId\` stands on the server's log lines of the same request, and in
the header \`X-Request-Id\` of every answer; send that header to choose it. \`success: false\` and \`error\` (the same text
as \`detail\`) are there for clients of the existing server.

| Status | Code | Meaning |
| --- | --- | --- |
${rows.join('\n')}
`;
}
