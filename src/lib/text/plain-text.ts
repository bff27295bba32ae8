/** Pure: foreign text made safe to look at, in a terminal, in a log and in JSON. */

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
/** Marks that reorder or hide text, as they stand in a class of an expression: bidi controls, zero-width space, tags. */
export const HIDDEN_MARKS =
  '\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}';
const HIDDEN = new RegExp(`[${HIDDEN_MARKS}]`, 'gu');
const LONE_SURROGATE = /\p{Surrogate}/gu;
/** Nearly all that is written: seen so in a fraction of the time that looking for each mark takes. */
const PLAIN = /^[\n -~]*$/;

/** Text without anything that could move the cursor, hide words or ring a bell; keeps newlines. */
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

/** The same on one line; blanks stay where they stand. */
export const inLine = (text: string): string => sanitize(text).replaceAll('\n', ' ');

/** The same, white space runs as one space. */
export function oneLine(text: string): string {
  return sanitize(text).replace(/\s+/g, ' ').trim();
}

/** What JSON allows as it is and a terminal acts on: DEL, C1, what hides or reorders, U+2028. */
const RAW_IN_JSON = new RegExp(`[\\u007f-\\u009f${HIDDEN_MARKS}]`, 'gu');

/** The same JSON, in which nothing stands raw that is not to be seen. */
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
