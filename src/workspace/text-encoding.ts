/** Decodes text in files and encodes it back to the same bytes. Pure. */

export type TextEncoding = 'utf8' | 'utf8-bom' | 'utf16le' | 'utf16be' | 'latin1';

export type DecodedText =
  | { readonly kind: 'text'; readonly text: string; readonly encoding: TextEncoding }
  | { readonly kind: 'binary' };

const BOM = '\ufeff';

/** Bytes that are not valid Unicode and contain no NUL are read as Latin-1, which loses nothing. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return decodeUtf8(bytes.subarray(3), 'utf8-bom');
  if (first === 0xff && second === 0xfe && bytes.length % 2 === 0)
    return text(Buffer.from(bytes.subarray(2)).toString('utf16le'), 'utf16le');
  if (first === 0xfe && second === 0xff && bytes.length % 2 === 0)
    return text(Buffer.from(bytes.subarray(2)).swap16().toString('utf16le'), 'utf16be');
  return decodeUtf8(bytes, 'utf8');
}

const text = (content: string, encoding: TextEncoding): DecodedText => ({
  kind: 'text',
  text: content,
  encoding,
});

function decodeUtf8(bytes: Uint8Array, encoding: TextEncoding): DecodedText {
  if (bytes.includes(0)) return { kind: 'binary' };
  try {
    return text(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), encoding);
  } catch {
    return encoding === 'utf8'
      ? text(Buffer.from(bytes).toString('latin1'), 'latin1')
      : { kind: 'binary' };
  }
}

/** Drops the first bytes of a UTF-8 character that the end of the piece cut off. */
export function cutAtCharacter(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    if (byte >= 0xc0) return back < length ? bytes.subarray(0, bytes.length - back) : bytes;
    if (byte < 0x80) return bytes;
  }
  return bytes;
}

/** `null` if the encoding has no byte for a character of `content`. */
export function encodeText(content: string, encoding: TextEncoding): Uint8Array | null {
  const plain = content.startsWith(BOM) ? content.slice(1) : content;
  switch (encoding) {
    case 'utf8':
      return Buffer.from(content, 'utf8');
    case 'utf8-bom':
      return Buffer.from(BOM + plain, 'utf8');
    case 'utf16le':
      return Buffer.from(BOM + plain, 'utf16le');
    case 'utf16be':
      return Buffer.from(BOM + plain, 'utf16le').swap16();
    case 'latin1':
      return /[^\p{ASCII}\u0080-\u00ff]/u.test(content) ? null : Buffer.from(content, 'latin1');
  }
}
