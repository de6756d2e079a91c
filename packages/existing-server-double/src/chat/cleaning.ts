const authorLimit = 32;
const messageLimit = 450;

/** What a line from a socket becomes in the game's chat; nothing when there is nothing to say. */
export function webLine(author: string, message: string): string | undefined {
  const said = clean(message, messageLimit);
  if (said === '') return undefined;
  return `(Web) ${clean(author, authorLimit) || 'Anonymous'}: ${said}`;
}

function clean(text: string, limit: number): string {
  const tidy = text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .replace(/ +/g, ' ');
  return tidy.length > limit ? `${tidy.slice(0, limit)}...` : tidy;
}
