/** The page out of its sources, as the build makes it. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface BuiltPage {
  /** By path below `dist`. */
  readonly texts: ReadonlyMap<string, string>;
  readonly inputs: readonly string[];
}

let built: Promise<BuiltPage> | null = null;

/** Made once for all tests. */
export function builtPage(): Promise<BuiltPage> {
  built ??= makePage();
  return built;
}

async function makePage(): Promise<BuiltPage> {
  const { page } = (await import(pathToFileURL(resolve('scripts/lib/page.mjs')).href)) as {
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
