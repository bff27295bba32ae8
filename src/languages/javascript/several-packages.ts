/**
 * Pure: the output of pnpm and turbo when they run a script in several packages. Each line of a script's
 * output has the script's name in front, and lines of several scripts are mixed. First, each name has a line
 * of its own.
 */

/** `packages/a test$ vitest run`, and `@acme/a:test: cache miss, executing 7e3cee`. */
const HEAD = /^(?:(\S[^\n$]* [\w:.-]+)\$ |(\S+:[\w.-]+): cache (?:hit|miss|bypass), )/gm;

/** The output of each script by itself, after the words of pnpm or turbo themselves. */
export function byPackage(output: string): string {
  const heads = new Set([...output.matchAll(HEAD)].map(([, pnpm, turbo]) => `${pnpm ?? turbo}: `));
  if (heads.size === 0) return output;
  const own: string[] = [];
  const printed = new Map([...heads].map((head) => [head, [] as string[]]));
  for (const line of output.split('\n')) {
    const head = line.slice(0, line.indexOf(': ') + 2);
    (printed.get(head) ?? own).push(printed.has(head) ? line.slice(head.length) : line);
  }
  return [...own, ...[...printed.values()].flat()].join('\n');
}
