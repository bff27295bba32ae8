import path from 'node:path';

/** The name a program goes by: no folder, no `.exe`, no version (`python3.12`, `pip3`). */
export function programName(program: string, platform: NodeJS.Platform): string {
  const base = platform === 'win32' ? path.win32.basename(program) : path.posix.basename(program);
  const plain = base.toLowerCase().replace(/\.(?:exe|com|cmd|bat)$/, '');
  return plain.replace(/^(python|pip)[\d.]+$/, '$1');
}
