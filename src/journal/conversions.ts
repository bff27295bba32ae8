/** Recognises what editors, git and copying do to a text file, from its first bytes and lines. Pure. */

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const CARRIAGE_RETURN = 0x0d;

export const hasByteOrderMark = (bytes: Buffer): boolean =>
  bytes.subarray(0, BOM.length).equals(BOM);

export const BYTE_ORDER_MARK_LENGTH = BOM.length;

export const endsLikeWindows = (line: Buffer): boolean => line.at(-1) === CARRIAGE_RETURN;

/** A line of only spaces, tabs and carriage returns. */
export const isBlank = (line: Buffer): boolean =>
  line.every((byte) => byte === 0x20 || byte === 0x09 || byte === CARRIAGE_RETURN);

/** UTF-16 with a byte order mark, or a first `{"` of two bytes each. */
export const isUtf16 = (bytes: Buffer): boolean =>
  ['fffe', 'feff', '7b002200', '007b0022'].some((head) =>
    bytes.subarray(0, head.length / 2).equals(Buffer.from(head, 'hex')),
  );

/** What was done to a line that is no longer a record; `null` if it looks like no conversion. */
export function conversionOf(line: Buffer): string | null {
  if (isUtf16(line)) return 'it was saved as UTF-16, as some editors do';
  if (hasByteOrderMark(line)) return 'it begins with a byte order mark, as some editors write it';
  if (isBlank(line)) return 'there is a blank line';
  if (endsLikeWindows(line)) return 'its lines end in CR LF, as an editor or git leaves them';
  return null;
}
