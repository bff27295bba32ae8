/** A server of tools in a few lines, which says in a file that it runs. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerEntry } from '../../src/schema/servers.ts';

/** Writes its pids to `NAME.pids` in the folder. @param onCall statements for `tools/call` */
export function smallServer(
  name: string,
  tools: string,
  onCall: string,
  folder: string,
): ServerEntry {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(
    file,
    `
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
appendFileSync(${JSON.stringify(join(folder, `${name}.pids`))}, process.pid + '\\n');
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
const text = (words) => ({ content: [{ type: 'text', text: words }] });
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  else if (method === 'tools/list') say(id, { tools: ${tools} });
  else if (method === 'tools/call') { ${onCall} }
});`,
  );
  return { command: 'node', args: [file] };
}

export const LOOK_TOOL = `[{ name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] } }]`;

export const lookingServer = (name: string, folder: string): ServerEntry =>
  smallServer(name, LOOK_TOOL, `say(id, text('seen: ' + params.arguments.at));`, folder);
