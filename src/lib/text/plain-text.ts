/** Makes foreign text safe to show in a terminal, in a log and in JSON. Pure. */
import { onOneLine } from './one-line.ts';

// CSI, then OSC/DCS/PM/APC strings, then any other two-character escape, or a lone ESC.
const ESCAPES = new RegExp(
  [
    '[\\u001b\\u009b]\\[?[0-?]*[ -/]*[@-~]',
    '\\u001b[\\]PX^_][^\\u0007\\u001b\\n]*(?:\\u0007|\\u001b\\\\)?',
  ]
    .reverse()
    .join('|'),
  'g',
);
const CONTROLS = /[^\P{Cc}\n]/gu;
/**
 * Characters that reorder or hide text, as the inside of a character class: bidi controls, zero-width space,
 * tags.
 */
export const HIDDEN_MARKS =
  '\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}';
const HIDDEN = new RegExp(`[${HIDDEN_MARKS}]`, 'gu');
const LONE_SURROGATE = /\p{Surrogate}/gu;
/** The common case, tested in a fraction of the time that a search for each mark takes. */
const PLAIN = /^[\n -~]*$/;

/** Removes everything that could move the cursor, hide words or ring a bell; keeps newlines. */
export function sanitize(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(ESCAPES, '')
    .replace(/\t/g, '  ')
    .replace(CONTROLS, '')
    .replace(HIDDEN, '')
    .replace(LONE_SURROGATE, '\ufffd');
}

/** The same on one line, keeping spaces. */
export const inLine = (text: string): string => sanitize(text).replaceAll('\n', ' ');

/** The same with runs of white space reduced to one space. */
export function oneLine(text: string): string {
  return onOneLine(sanitize(text));
}

/** Characters that JSON allows unescaped and a terminal acts on: DEL, C1, hiding and reordering marks, U+2028. */
const RAW_IN_JSON = new RegExp(`[\\u007f-\\u009f${HIDDEN_MARKS}]`, 'gu');

/** The same JSON with every invisible character escaped. */
export const escapedJson = (json: string): string =>
  PLAIN.test(json)
    ? json
    : json.replace(RAW_IN_JSON, (character) =>
        [...Array(character.length).keys()]
          .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join(''),
      );

export const jsonText = (value: unknown, indent?: number): string =>
  escapedJson(JSON.stringify(value, null, indent));
