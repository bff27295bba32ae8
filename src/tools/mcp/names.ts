/** The wire names of servers' tools: characters that every API accepts, 64 at most. Pure. */
import { sha256 } from '../../lib/sha256.ts';

const LONGEST = 64;
const HASH = 8;

/**
 * `mcp__server__tool`; with a hash if that is too long, has other characters, or could be read as another
 * server's tool. It depends on nothing else, so a journal with the name identifies the tool, whatever servers
 * exist at a resume.
 */
export function wireName(server: string, tool: string): string {
  const whole = `mcp__${server}__${tool}`;
  const plain = whole.replace(/[^\w-]/g, '_');
  const isClear = !server.includes('__') && !server.endsWith('_');
  if (plain === whole && plain.length <= LONGEST && isClear) return plain;
  const hash = sha256(JSON.stringify([server, tool]));
  return `${plain.slice(0, LONGEST - HASH - 1)}_${hash.slice(0, HASH)}`;
}
