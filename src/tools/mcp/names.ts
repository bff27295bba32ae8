/** What a tool of a server is called on the wire: letters that every API takes, 64 at most. Pure. */
import { createHash } from 'node:crypto';

const LONGEST = 64;
const HASH = 8;

/** `mcp__server__tool`; with a hash where that is too long, has other letters, or is taken. */
export function wireName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const whole = `mcp__${server}__${tool}`;
  const plain = whole.replace(/[^\w-]/g, '_');
  if (plain === whole && plain.length <= LONGEST && !taken.has(plain)) return plain;
  const hash = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex');
  return `${plain.slice(0, LONGEST - HASH - 1)}_${hash.slice(0, HASH)}`;
}
