const digits = /^-?[0-9]+$/;

/**
 * Schemas give the examples of their ids as text, for what makes a document of them copies it as JSON and would round
 * anything else. In the document they are the integers that the API reads and writes, with every digit.
 */
export function writeExactExamples(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  if ('type' in part && part.type === 'integer' && 'examples' in part && Array.isArray(part.examples))
    part.examples = part.examples.map(exact);
  for (const member of Object.values(part)) writeExactExamples(member);
}

function exact(example: unknown): unknown {
  return typeof example === 'string' && digits.test(example) ? JSON.rawJSON(example) : example;
}
