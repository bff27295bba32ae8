/** Pure: rewrites a Go file so that its new functions return only zero values, by its text. */
import { withComment } from '../files/with-comment.ts';
import { codeOnly, isSource } from './files.ts';

const FUNCTION = /^func\b/gm;

interface Body {
  /** The index after the body's opening bracket. */
  readonly start: number;
  readonly end: number;
  /** The function's result types, as written. */
  readonly results: string;
}

/**
 * The former body stays after a return that always happens, so that imports and variables are still used and
 * the file compiles. A function that only panicked would also fail tests that check nothing.
 */
export function emptiedGo(path: string, text: string, before: string | null): string | null {
  if (!isSource(path)) return null;
  const bodies = bodiesOf(text);
  const isNew = ({ start, end }: Body): boolean => {
    const body = text.slice(start, end);
    return body.trim() !== '' && before?.includes(body) !== true;
  };
  const changed = bodies?.filter(isNew) ?? [];
  if (changed.length === 0) return null;
  const emptied = changed
    .toReversed()
    .reduce(
      (rest, { start, results }) =>
        `${rest.slice(0, start)} if true { return${zeroValues(results)} };${rest.slice(start)}`,
      text,
    );
  return withComment(emptied, text);
}

/** `null` if the brackets do not match. */
function bodiesOf(text: string): readonly Body[] | null {
  const code = codeOnly(text);
  const bodies: Body[] = [];
  for (const { index } of code.matchAll(FUNCTION)) {
    const open = bodyStart(code, index);
    const close = open === null ? null : closingOf(code, open);
    if (open === null || close === null) return null;
    const results = resultsOf(code.slice(index, open));
    bodies.push({ start: open + 1, end: close, results });
  }
  return bodies;
}

/** The first brace outside all other brackets that no type opens. */
function bodyStart(code: string, from: number): number | null {
  for (let at = from; at < code.length; at += 1) {
    const sign = code[at] ?? '';
    const isType = /\b(?:interface|struct)\s*$/.test(code.slice(from, at));
    if (sign === '{' && !isType) return at;
    if (!/[([{]/.test(sign)) continue;
    const end = closingOf(code, at);
    if (end === null) return null;
    at = end;
  }
  return null;
}

function closingOf(code: string, open: number): number | null {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if (/[([{]/.test(code[at] ?? '')) depth += 1;
    if (/[)\]}]/.test(code[at] ?? '')) depth -= 1;
    if (depth === 0) return at;
  }
  return null;
}

/** The part of a head after the brackets of receiver, type parameters and parameters. */
function resultsOf(head: string): string {
  let at = head.search(/\bfunc\b/) + 'func'.length;
  const skip = (bracket: string): void => {
    at += /^\s*/.exec(head.slice(at))?.[0].length ?? 0;
    if (head[at] === bracket) at = (closingOf(head, at) ?? at) + 1;
  };
  skip('(');
  at += /^\s*\w*/.exec(head.slice(at))?.[0].length ?? 0;
  skip('[');
  skip('(');
  return head.slice(at).trim();
}

/** Named results already have their zero values; for an unnamed type it is `*new(T)`. */
function zeroValues(results: string): string {
  if (results === '') return '';
  if (!results.startsWith('(')) return ` *new(${results})`;
  const parts = splitTypes(results.slice(1, -1));
  const isNamed = parts.some((part) =>
    /^(?!(?:chan|func|map|struct|interface)\b)\w+\s+\S/.test(part),
  );
  return isNamed ? '' : ` ${parts.map((part) => `*new(${part})`).join(', ')}`;
}

function splitTypes(list: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at <= list.length; at += 1) {
    const sign = list[at] ?? ',';
    if (/[([{]/.test(sign)) at = closingOf(list, at) ?? at;
    else if (sign === ',') {
      parts.push(list.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts.filter((part) => part !== '');
}
