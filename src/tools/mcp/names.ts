/** What a tool of a server is called on the wire: letters that every API takes, 64 at most. Pure. */
import { createHash } from 'node:crypto';

const LONGEST = 64;
const HASH = 8;

/**
 * `mcp__server__tool`; with a hash where that is too long, has other letters, or could be read as a tool of
 * another server. It depends on nothing else: a journal that has the name says which tool was meant, whatever
 * servers there are at a resume.
 */
export function wireName(server: string, tool: string): string {
  const whole = `mcp__${server}__${tool}`;
  const plain = whole.replace(/[^\w-]/g, '_');
  const isClear = !server.includes('__') && !server.endsWith('_');
  if (plain === whole && plain.length <= LONGEST && isClear) return plain;
  const hash = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex');
  return `${plain.slice(0, LONGEST - HASH - 1)}_${hash.slice(0, HASH)}`;
}
