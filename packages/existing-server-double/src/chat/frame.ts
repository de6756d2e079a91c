/** Longer texts vanish. Counted as its runtime counts: in UTF-16 code units. */
export const longestText = 16_384;

/** The first frame is read once, into a buffer of this size. */
export const firstReadBytes = 4_096;

export interface Frame {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A frame as the application sees it. `broken` is what its parser throws at, `none` what it has no use for. */
export function readFrame(text: string): Frame | 'broken' | 'none' {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return 'broken';
  }
  if (document === null) return 'none';
  if (!isRecord(document)) return 'broken';
  const { type, payload = {} } = document;
  if (!isRecord(payload)) return 'broken';
  return typeof type === 'string' ? { type, payload } : 'none';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
