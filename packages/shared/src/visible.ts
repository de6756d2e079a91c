/** Spaces, controls, and whatever fonts draw as nothing, an empty Braille cell among them. */
const invisible = /[\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether a person would see anything of the text. */
export function isVisible(text: string): boolean {
  return text.replace(invisible, '') !== '';
}
