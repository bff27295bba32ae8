/** The first whole line of a text; `null` while there is none. Pure. */
export function readLine(text: string): { readonly line: string; readonly rest: string } | null {
  const end = text.indexOf('\n');
  return end < 0
    ? null
    : { line: text.slice(0, end).replace(/\r$/, ''), rest: text.slice(end + 1) };
}
