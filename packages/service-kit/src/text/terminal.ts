/**
 * What a terminal may take for an order, or shows in another order than it stands there: the controls that JSON leaves as they are, marks of
 * direction, and what ends a line without being the end of one.
 */
const orders = /[[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]--[\n]]/gv;

/** The text with each of these written out, as `\u009b`. What was JSON is the same JSON, and lines stay lines. */
export function forTerminal(text: string): string {
  return text.replace(orders, writtenOut);
}

/** The same in one line, for what stands in a line of its own: whoever wrote it begins no other. */
export function inOneLine(text: string): string {
  return forTerminal(text).replaceAll('\n', '\\n');
}

/** The JSON so that whoever shows the texts in it on a terminal shows these written out. */
export function shownOnTerminal(json: string): string {
  return json.replace(orders, (one) => `\\${writtenOut(one)}`);
}

function writtenOut(one: string): string {
  return `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
