/**
 * Loads the program behind `bin.cjs` with V8's cache of compiled code: Node's own cache if it has one (22.8 and newer),
 * else ours. The cache is in the system's cache folder, and the program works without it.
 */
import module, { createRequire } from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { startProgram } from '../start.ts';
import { programPieces } from './program-pieces.ts';

const NAME = 'tardigrade-agent';

export interface CachePlace {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

/** `%LOCALAPPDATA%`, `~/Library/Caches`, `$XDG_CACHE_HOME` or `~/.cache`; `null` if unknown. */
export function compileCacheFolder({ platform, env, home }: CachePlace): string | null {
  const { isAbsolute, join } = platform === 'win32' ? path.win32 : path.posix;
  const named = platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  if (platform !== 'darwin' && named !== undefined && isAbsolute(named))
    return join(named, NAME, 'compiled');
  if (!isAbsolute(home)) return null;
  if (platform === 'win32') return join(home, 'AppData', 'Local', NAME, 'compiled');
  return join(
    home,
    ...(platform === 'darwin' ? ['Library', 'Caches'] : ['.cache']),
    NAME,
    'compiled',
  );
}

export interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

export interface Program {
  readonly start: typeof startProgram;
  /** Call it at the end; see `Pieces.keep`. Never throws. */
  readonly keepCompiled: (hasUsedMuch: boolean) => void;
}

/**
 * `entry`: URL of the program's first file. A run, a conversation and a server use different functions of the same
 * files, and the cache keeps the functions that were used, so each of the three has a cache of its own. Throws if a
 * file is unreadable.
 */
export function loadProgram(entry: string, argv: readonly string[]): Program {
  const require = createRequire(entry);
  const file = fileURLToPath(new URL('./program/start.cjs', entry));
  const folder = cacheFolder(partOf(argv));
  if (folder === null || enableNodesCache(module as object, folder))
    return { ...(require(file) as Pick<Program, 'start'>), keepCompiled: () => {} };
  const { crc32 } = require('node:zlib') as typeof import('node:zlib');
  const ofThisNode = path.join(folder, `${process.version}-${process.arch}`);
  const pieces = programPieces(ofThisNode, crc32, require);
  return { ...(pieces.load(file) as Pick<Program, 'start'>), keepCompiled: pieces.keep };
}

const TALKING: ReadonlySet<string> = new Set(['chat', 'acp']);

/**
 * Guesses from the words which part starts; '' is a run, also one of a server. A wrong guess only costs compile time.
 */
export function partOf(argv: readonly string[]): 'conversation' | 'server' | '' {
  const has = (flag: string): boolean =>
    argv.some((word) => word === flag || word.startsWith(`${flag}=`));
  if (argv.length === 0 || TALKING.has(argv[0] ?? '') || has('--exec')) return 'conversation';
  return argv[0] === 'serve' && !has('--work-file') ? 'server' : '';
}

function cacheFolder(part: string): string | null {
  try {
    const { platform, env } = process;
    const folder = compileCacheFolder({ platform, env, home: homedir() });
    return folder === null ? null : path.join(folder, part);
  } catch {
    // For example, the system has no home folder.
    return null;
  }
}

/** Whether this Node has a cache of its own. If enabling it fails, no other cache replaces it. */
export function enableNodesCache({ enableCompileCache }: CompileCache, folder: string): boolean {
  if (enableCompileCache === undefined) return false;
  try {
    enableCompileCache(folder);
  } catch {
    // The program runs without a cache.
  }
  return true;
}
