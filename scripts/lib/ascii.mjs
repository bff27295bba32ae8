// Programs of ASCII alone are read and compiled as they lie on the disk: one other character makes V8 read
// all of a file as text of two bytes each. esbuild escapes them but in patterns, and in `String.raw`.

const NOT_ASCII = /[^\0-\x7f]/g;
/** Text that is taken as it stands: an escape in it would be another text. */
const RAW = /\bString\.raw`[^`]*?[^\0-\x7f`][^`]*`/;

/** Throws where an escape would mean something else. */
export function asAscii(path, text) {
  const raw = RAW.exec(text);
  if (raw !== null) throw new Error(`build: ${path} holds a raw text that is not ASCII: ${raw[0]}`);
  return text.replaceAll(
    NOT_ASCII,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
