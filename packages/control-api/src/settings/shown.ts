const shownLength = 60;

/** A value of the file, as a warning repeats it: warnings travel in answers, and the file is whatever somebody wrote. */
export function shown(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
