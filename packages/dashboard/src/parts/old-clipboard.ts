/** The clipboard itself is for pages by HTTPS alone. */
export function isCopiedOldWay(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'out-of-sight';
  // Beside a window that holds the focus nothing can be selected.
  (before?.closest('dialog') ?? document.body).append(field);
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isDone;
}
