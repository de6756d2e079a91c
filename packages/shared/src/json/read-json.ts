/** Undefined for what is no JSON, so that one schema refuses both that and JSON of another shape. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
