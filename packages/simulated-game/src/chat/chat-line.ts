/** A text that begins like this, spaces aside, is for the game and for nobody else. */
const commandMark = '!';

/** The command and its words, or undefined when the text is something said. */
export function commandIn(
  text: string,
): { readonly name: string; readonly words: readonly string[] } | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(commandMark)) return undefined;
  const [name = '', ...words] = trimmed.slice(commandMark.length).split(/\s+/);
  return { name: name.toLowerCase(), words };
}
