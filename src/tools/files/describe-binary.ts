/** Identifies a file that is not text by its first bytes. Pure. */

interface Signature {
  readonly name: string;
  /** The format's first bytes; `null` stands for any byte. */
  readonly begins: readonly (number | null)[];
}

const ascii = (text: string): readonly number[] => [...text].map((one) => one.charCodeAt(0));
const any = (count: number): readonly null[] => new Array(count).fill(null);

const SIGNATURES: readonly Signature[] = [
  { name: 'PNG image', begins: [0x89, ...ascii('PNG')] },
  { name: 'GIF image', begins: ascii('GIF8') },
  { name: 'JPEG image', begins: [0xff, 0xd8, 0xff] },
  { name: 'WebP image', begins: [...ascii('RIFF'), ...any(4), ...ascii('WEBP')] },
  { name: 'BMP image', begins: [...ascii('BM'), ...any(4), 0, 0, 0, 0] },
  { name: 'AVIF image', begins: [...any(4), ...ascii('ftypavif')] },
  { name: 'HEIC image', begins: [...any(4), ...ascii('ftyphei')] },
  { name: 'TIFF image', begins: [0x49, 0x49, 0x2a, 0] },
  { name: 'TIFF image', begins: [0x4d, 0x4d, 0, 0x2a] },
  { name: 'icon', begins: [0, 0, 1, 0] },
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

/** Image types that models accept as input. */
const IMAGE_TYPES: { readonly [name: string]: string } = {
  'PNG image': 'image/png',
  'GIF image': 'image/gif',
  'JPEG image': 'image/jpeg',
  'WebP image': 'image/webp',
};

/** For instance `image/png`, from the first bytes; `null` if it is not an image that models accept. */
export function imageTypeOf(bytes: Uint8Array): string | null {
  const name = signatureOf(bytes)?.name ?? '';
  return IMAGE_TYPES[name] ?? null;
}

/** `PNG image`; `null` for an unknown type. */
export const describeBinary = (bytes: Uint8Array): string | null =>
  signatureOf(bytes)?.name ?? null;
