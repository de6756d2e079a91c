/** The marks of the platform's binary key values that a lobby's metadata needs. */
const marks = { object: 0, string: 1, end: 8 } as const;

/** Metadata as the platform keeps it: an object without a name, holding texts that end at a zero byte. */
export function encodeLobbyMetadata(metadata: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(metadata).map(([key, value]) =>
    Buffer.concat([Buffer.of(marks.string), Buffer.from(`${key}\0${value}\0`, 'utf8')]),
  );
  return Buffer.concat([Buffer.of(marks.object, 0), ...entries, Buffer.of(marks.end, marks.end)]);
}
