/**
 * What a terminal may take for an order, or shows in another order than it stands there: the controls that JSON leaves as they are, marks of
 * direction, and what ends a line without being the end of one.
 */
const orders = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** The text with each of these written out, as `\u009b`. What was JSON is the same JSON, and lines stay lines. */
export function forTerminal(text: string): string {
  return text.replace(orders, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
