/** What a file that is no text is, from its first bytes: its type, and of an image its dimensions. Pure. */

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Signature {
  readonly name: string;
  /** What its first bytes are, `null` for any. */
  readonly begins: readonly (number | null)[];
  size?(bytes: Buffer): Size | null;
}

const ascii = (text: string): readonly number[] => [...text].map((one) => one.charCodeAt(0));
const any = (count: number): readonly null[] => new Array(count).fill(null);

const SIGNATURES: readonly Signature[] = [
  { name: 'PNG image', begins: [0x89, ...ascii('PNG')], size: (bytes) => at(bytes, 16, 'BE', 4) },
  { name: 'GIF image', begins: ascii('GIF8'), size: (bytes) => at(bytes, 6, 'LE', 2) },
  { name: 'JPEG image', begins: [0xff, 0xd8, 0xff], size: jpegSize },
  { name: 'WebP image', begins: [...ascii('RIFF'), ...any(4), ...ascii('WEBP')], size: webpSize },
  { name: 'BMP image', begins: [...ascii('BM'), ...any(4), 0, 0, 0, 0], size: bmpSize },
  { name: 'AVIF image', begins: [...any(4), ...ascii('ftypavif')] },
  { name: 'HEIC image', begins: [...any(4), ...ascii('ftyphei')] },
  { name: 'TIFF image', begins: [0x49, 0x49, 0x2a, 0] },
  { name: 'TIFF image', begins: [0x4d, 0x4d, 0, 0x2a] },
  { name: 'icon', begins: [0, 0, 1, 0], size: iconSize },
  { name: 'PDF document', begins: ascii('%PDF') },
  { name: 'zip archive', begins: [0x50, 0x4b, 3, 4] },
  { name: 'empty zip archive', begins: [0x50, 0x4b, 5, 6] },
  { name: 'gzip archive', begins: [0x1f, 0x8b] },
  { name: 'xz archive', begins: [0xfd, ...ascii('7zXZ')] },
  { name: 'bzip2 archive', begins: ascii('BZh') },
  { name: '7z archive', begins: [...ascii('7z'), 0xbc, 0xaf] },
  { name: 'Zstandard archive', begins: [0x28, 0xb5, 0x2f, 0xfd] },
  { name: 'RAR archive', begins: ascii('Rar!') },
  { name: 'tar archive', begins: [...any(257), ...ascii('ustar')] },
  { name: 'ELF program or library', begins: [0x7f, ...ascii('ELF')] },
  { name: 'Windows program or library', begins: ascii('MZ') },
  { name: 'Mach-O program or library', begins: [0xcf, 0xfa, 0xed, 0xfe] },
  { name: 'Java class or universal Mach-O program', begins: [0xca, 0xfe, 0xba, 0xbe] },
  { name: 'static library', begins: ascii('!<arch>') },
  { name: 'WebAssembly module', begins: [0, ...ascii('asm')] },
  { name: 'SQLite database', begins: ascii('SQLite format 3') },
  { name: 'WOFF font', begins: ascii('wOFF') },
  { name: 'WOFF2 font', begins: ascii('wOF2') },
  { name: 'TrueType font', begins: [0, 1, 0, 0, 0] },
  { name: 'OpenType font', begins: ascii('OTTO') },
  { name: 'old Office document', begins: [0xd0, 0xcf, 0x11, 0xe0] },
  { name: 'FLAC audio', begins: ascii('fLaC') },
  { name: 'Ogg file', begins: ascii('OggS') },
  { name: 'MP3 audio', begins: ascii('ID3') },
  { name: 'WAV audio', begins: [...ascii('RIFF'), ...any(4), ...ascii('WAVE')] },
  { name: 'MP4 or QuickTime file', begins: [...any(4), ...ascii('ftyp')] },
];

const signatureOf = (bytes: Uint8Array): Signature | undefined =>
  SIGNATURES.find(({ begins }) =>
    begins.every((byte, index) => byte === null || bytes[index] === byte),
  );

/** Those that models take as input. */
const IMAGE_TYPES: { readonly [name: string]: string } = {
  'PNG image': 'image/png',
  'GIF image': 'image/gif',
  'JPEG image': 'image/jpeg',
  'WebP image': 'image/webp',
};

/** `image/png`, by its first bytes; `null` for what is no image that models take. */
export function imageTypeOf(bytes: Uint8Array): string | null {
  const name = signatureOf(bytes)?.name ?? '';
  return IMAGE_TYPES[name] ?? null;
}

/** `PNG image, 640 x 480 pixels`; `null` for a type that is not known. */
export function describeBinary(bytes: Uint8Array): string | null {
  const known = signatureOf(bytes);
  if (known === undefined) return null;
  const size = known.size?.(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) ?? null;
  const isReal = size !== null && size.width > 0 && size.height > 0;
  return isReal ? `${known.name}, ${size.width} x ${size.height} pixels` : known.name;
}

/** Two numbers one behind the other, where the file is long enough. */
function at(bytes: Buffer, offset: number, order: 'BE' | 'LE', length: 2 | 4): Size | null {
  if (bytes.length < offset + 2 * length) return null;
  const read = (from: number): number =>
    order === 'BE' ? bytes.readUIntBE(from, length) : bytes.readUIntLE(from, length);
  return { width: read(offset), height: read(offset + length) };
}

/** Of a picture that is stored from its top the height is negative. */
function bmpSize(bytes: Buffer): Size | null {
  if (bytes.length < 26) return null;
  return { width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) };
}

/** Of the first of its pictures; 0 stands for 256. */
function iconSize(bytes: Buffer): Size | null {
  if (bytes.length < 8) return null;
  return { width: bytes[6] || 256, height: bytes[7] || 256 };
}

/** In the first frame, behind as many other segments as there are. */
function jpegSize(bytes: Buffer): Size | null {
  for (let from = 2; from + 9 <= bytes.length && bytes[from] === 0xff; ) {
    const marker = bytes[from + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return { width: bytes.readUInt16BE(from + 7), height: bytes.readUInt16BE(from + 5) };
    from += 2 + Math.max(2, bytes.readUInt16BE(from + 2));
  }
  return null;
}

function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30) return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
