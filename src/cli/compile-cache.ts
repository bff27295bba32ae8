/**
 * V8's cache of compiled code, where this Node has one (22.8 and newer): the second start of the
 * program need not compile it again. It lies in the system's folder for caches and is never needed.
 */
import module from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';

const NAME = 'tardigrade-agent';

export interface CachePlace {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
}

/** `%LOCALAPPDATA%`, `~/Library/Caches`, `$XDG_CACHE_HOME` or `~/.cache`; `null` where none is known. */
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

interface CompileCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/** Called before the program itself is loaded. Whatever goes wrong, the program runs without it. */
export function enableCompileCache(node: CompileCache = module as object): void {
  if (node.enableCompileCache === undefined) return;
  try {
    const { platform, env } = process;
    const folder = compileCacheFolder({ platform, env, home: homedir() });
    if (folder !== null) node.enableCompileCache(folder);
  } catch {
    // A system without a home folder, say.
  }
}
