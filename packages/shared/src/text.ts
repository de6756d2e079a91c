/**
 * What shows nothing: spaces, controls, halves of characters, what Unicode has programs ignore (joiners, marks of direction, fillers, variation
 * selectors), and the few that are drawn as nothing.
 */
const nothing = '[\\s\\p{Cc}\\p{Cs}\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb\\u{1d159}]*';
const onlyNothing = new RegExp(`^${nothing}$`, 'u');
const nothingFirst = new RegExp(`^${nothing}`, 'u');

/** Whether nobody would see anything of this text. */
export function isBlank(text: string): boolean {
  return onlyNothing.test(text);
}

/** The text from the first character that shows on. */
export function fromFirstVisible(text: string): string {
  return text.replace(nothingFirst, '');
}

/** Words that stand within a sentence elsewhere, as the beginning of one. */
export function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
