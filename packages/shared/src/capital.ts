/** Words that stand within a sentence elsewhere, as the beginning of one. */
export function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
