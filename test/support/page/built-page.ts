/** The page out of its sources, as the build makes it. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface BuiltPage {
  /** By path below `dist`. */
  readonly texts: ReadonlyMap<string, string>;
  readonly inputs: readonly string[];
}

export async function builtPage(): Promise<BuiltPage> {
  const { page } = (await import(resolve('scripts/lib/page.mjs'))) as {
    page(root: string): Promise<BuiltPage>;
  };
  return page(resolve('.'));
}

/** A folder with its files. */
export async function pageFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'page-built-'));
  mkdirSync(join(folder, 'page'));
  for (const [path, text] of (await builtPage()).texts) writeFileSync(join(folder, path), text);
  return join(folder, 'page');
}
