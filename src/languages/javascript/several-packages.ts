/**
 * Pure: what pnpm prints when it runs a script in several packages. Each script has a head, `packages/a test$ vitest run`, and
 * all that it prints stands behind `packages/a test: `, mixed with the lines of others.
 */

const HEAD = /^(\S[^\n$]* [\w:.-]+)\$ /gm;

/** The output of each script by itself, behind what pnpm itself says. */
export function byPackage(output: string): string {
  const heads = new Set([...output.matchAll(HEAD)].map(([, head = '']) => `${head}: `));
  if (heads.size === 0) return output;
  const own: string[] = [];
  const printed = new Map([...heads].map((head) => [head, [] as string[]]));
  for (const line of output.split('\n')) {
    const head = line.slice(0, line.indexOf(': ') + 2);
    (printed.get(head) ?? own).push(printed.has(head) ? line.slice(head.length) : line);
  }
  return [...own, ...[...printed.values()].flat()].join('\n');
}
