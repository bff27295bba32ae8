/**
 * Loads the program, whose bundles are CommonJS files in one folder. If Node caches compiled code itself, they are
 * simply required. Elsewhere (Node 20) V8's compiled code of each bundle is in a cache file of ours, because
 * compiling 1.1 MB takes a third of a start.
 *
 * 1. Only the source decides what a bundle does. Compiled code is used only if it carries the checksums of exactly that
 *    source and of itself, and if V8 accepts it for its version and flags.
 * 2. A faulty cache is neither reported nor fatal: the program runs without it.
 */
import { isAscii } from 'node:buffer';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';

/**
 * Precedes the code: checksums of the source and of the rest. The rest begins with the number of starts that
 * contributed. The code is aligned so that V8 need not copy it.
 */
const HEAD_BYTES = 16;
const CRC_BYTES = 8;
/** Each of the first starts uses functions that none before it used; later starts add little. */
const MAX_STARTS = 4;
/** Larger than any bundle. */
const MAX_BYTES = 64 * 1024 * 1024;
const WRAPPER = '(function(exports,require,module){';

interface Module {
  exports: unknown;
}

interface Piece {
  readonly script: Script;
  readonly sourceCrc: number;
  readonly cache: string;
  /** How many starts contributed to the compiled code that was loaded; 0: none was loaded. */
  readonly starts: number;
}

/** CRC-32. The caller passes it in, so that `--version` need not load zlib. */
export type Checksum = (bytes: Uint8Array) => number;

export interface Pieces {
  load(file: string): unknown;
  /**
   * Keeps what is compiled by now for the next start; where a start has used little, only that of which nothing is kept.
   * Never throws.
   */
  keep(hasUsedMuch: boolean): void;
}

/** `folder` holds the compiled code; `requireOther` loads modules that are not bundles of ours. */
export function programPieces(
  folder: string,
  checksum: Checksum,
  requireOther: (id: string) => unknown,
): Pieces {
  const modules = new Map<string, Module>();
  const pieces: Piece[] = [];
  const load = (file: string): unknown => {
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module: Module = { exports: {} };
    modules.set(file, module);
    try {
      const piece = compile(file, folder, checksum);
      pieces.push(piece);
      const requireFrom = (id: string) =>
        id.startsWith('.') ? load(join(dirname(file), id)) : requireOther(id);
      piece.script.runInThisContext()(module.exports, requireFrom, module);
    } catch (error) {
      modules.delete(file);
      throw error;
    }
    return module.exports;
  };
  const keep = (hasUsedMuch: boolean) => {
    const most = hasUsedMuch ? MAX_STARTS : 1;
    for (const piece of pieces) if (piece.starts < most) keepOne(piece, checksum);
  };
  return { load, keep };
}

function compile(file: string, folder: string, checksum: Checksum): Piece {
  const bytes = readFileSync(file);
  const sourceCrc = checksum(bytes);
  const cache = join(folder, `${basename(file)}.compiled`);
  const kept = compiledCode(cache, sourceCrc, checksum);
  // The build writes ASCII, which decodes fastest as latin1.
  const source = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
  const script = new Script(`${WRAPPER}${source}\n})`, {
    filename: file,
    columnOffset: -WRAPPER.length,
    ...(kept === undefined ? {} : { cachedData: kept.subarray(HEAD_BYTES) }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const isUsed = kept !== undefined && script.cachedDataRejected === false;
  return { script, sourceCrc, cache, starts: isUsed ? kept.readUInt32LE(CRC_BYTES) : 0 };
}

/** The cached data, unless a byte of it is damaged or it belongs to another source. */
function compiledCode(cache: string, sourceCrc: number, checksum: Checksum): Buffer | undefined {
  try {
    // Reading a pipe would wait for its other end, and a device may never end.
    const info = statSync(cache);
    if (!info.isFile() || info.size > MAX_BYTES) return undefined;
    const kept = readFileSync(cache);
    if (kept.length <= HEAD_BYTES || kept.readUInt32LE(0) !== sourceCrc) return undefined;
    return kept.readUInt32LE(4) === checksum(kept.subarray(CRC_BYTES)) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function keepOne({ script, sourceCrc, cache, starts }: Piece, checksum: Checksum): void {
  const temporary = `${cache}.${process.pid}`;
  try {
    const bytes = Buffer.concat([Buffer.alloc(HEAD_BYTES), script.createCachedData()]);
    bytes.writeUInt32LE(starts + 1, CRC_BYTES);
    bytes.writeUInt32LE(sourceCrc, 0);
    bytes.writeUInt32LE(checksum(bytes.subarray(CRC_BYTES)), 4);
    mkdirSync(dirname(cache), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, cache);
  } catch {
    removeIfThere(temporary);
  }
}

function removeIfThere(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The cache folder may be deleted at any time.
  }
}
