/** Calls for every object of a document, the outer ones first. */
export function eachObject(part: unknown, visit: (object: Record<string, unknown>) => void): void {
  if (typeof part !== 'object' || part === null) return;
  if (!Array.isArray(part)) visit(part as Record<string, unknown>);
  for (const member of Object.values(part)) eachObject(member, visit);
}
