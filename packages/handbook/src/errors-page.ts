import { problemAnswer } from '@steward/control-api/http/openapi/route-schema';
import { problemCodes } from '@steward/shared/problems/problem-codes';

export function errorsPage(): string {
  const rows = Object.entries(problemCodes).map(
    ([code, { status, title }]) => `| ${status} | \`${code}\` | ${title} |`,
  );
  const members = Object.entries(problemAnswer.shape).map(
    ([name, schema]) =>
      `| \`${name}\` | ${schema.isOptional() ? 'sometimes' : 'always'} | ${schema.description} |`,
  );
  return `# Errors

Every error is \`application/problem+json\` (RFC 9457). Switch on \`code\`, which is stable; show \`detail\`, which says
what went wrong this time and what to do. \`requestId\` stands on the server's log lines of the same request, and in
the header \`X-Request-Id\` of every answer; send that header to choose it.

| Status | Code | Meaning |
| --- | --- | --- |
${rows.join('\n')}

## What an error says

| Member | There | What it says |
| --- | --- | --- |
${members.join('\n')}

[What holds everywhere](api.md#what-holds-everywhere) says what to do with \`applied\`, \`operationId\` and \`retry\`. Later
versions may add members.
`;
}
