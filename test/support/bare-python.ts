/**
 * Tests start Python many hundred times. The one that they find is this machine's own, with all of its
 * packages, but without a version manager before it and without what packages do at every start (lines of
 * `.pth` files that import): together these take several times as long as Python itself.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

interface Found {
  /** What stands on PATH may be a shim or an environment of its own; this is neither. */
  readonly base: string;
  readonly executable: string;
  readonly version: string;
  readonly packages: readonly string[];
}

const ASK = `import json, sys
print(json.dumps({
  "base": getattr(sys, "_base_executable", sys.executable), "executable": sys.executable,
  "version": "%d.%d" % sys.version_info[:2], "packages": [one for one in sys.path if one.endswith("-packages")],
}))`;

const ask = (python: string): Found =>
  JSON.parse(
    execFileSync(python, ['-c', ASK], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );

/** @param folder for the environment that is made. PATH with that Python before all others. */
export function pathToPython(folder: string, path = process.env.PATH ?? ''): string {
  if (process.platform === 'win32') return path;
  try {
    const found = ask('python3');
    return [...bare(folder, found), dirname(found.executable), path].join(delimiter);
  } catch {
    return path;
  }
}

/** As `python -m venv` does, with one line that names where the packages are. */
function bare(folder: string, { base, version, packages }: Found): readonly string[] {
  const text = `home = ${dirname(base)}\ninclude-system-site-packages = false\n`;
  const listed = `${packages.join('\n')}\n`;
  const name = createHash('sha256').update(`${base}\n${text}${listed}`).digest('hex').slice(0, 16);
  const made = join(folder, name);
  const programs = join(made, 'bin');
  if (existsSync(made)) return [programs];
  const unfinished = `${made}.${process.pid}`;
  try {
    const site = join(unfinished, 'lib', `python${version}`, 'site-packages');
    for (const one of [join(unfinished, 'bin'), site]) mkdirSync(one, { recursive: true });
    for (const one of ['python', 'python3']) symlinkSync(base, join(unfinished, 'bin', one));
    writeFileSync(join(unfinished, 'pyvenv.cfg'), text);
    writeFileSync(join(site, 'all.pth'), listed);
    const { packages: seen } = ask(join(unfinished, 'bin', 'python3'));
    if (!packages.every((one) => seen.includes(one))) return [];
    renameSync(unfinished, made);
    return [programs];
  } catch {
    // Another run was first, or this Python is none that can be led so.
    return existsSync(made) ? [programs] : [];
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}
