import { join } from 'node:path';
import { layoutOf } from '../../src/journal/layout.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { diligentModel } from './models.ts';
import { runIn } from './run-in.ts';
import { LARGE, scriptedProvider } from './scripted-provider.ts';
import { testWorld, WORKSPACE } from './test-machine.ts';

export const EXAMPLE_FOLDER = '.agent_context.example';

const README = `# What a state directory looks like

This is \`.agent_context/\` after the goal "Write hello.mjs that prints hello" was killed once and
resumed. The real engine made it on a disk in memory, where time stands still and with a scripted
model. A test makes it again and compares, so it is true. To renew it after a change of the format:

    node scripts/run.mjs scripts/make-example.ts

Left out: \`lock/\`, \`reserve\` (64 KB of filler), the \`.gitignore\` that keeps the folder out of git, and the
\`.gitattributes\` for who adds it all the same: git then keeps every byte.
What each file means is in docs/internals/state-format.md.
`;

const LEFT_OUT = new Set(['lock', 'reserve', '.gitignore', '.gitattributes']);

/** Every file of the example by its path, \`README.md\` included. */
export async function exampleState(): Promise<Map<string, string>> {
  const world = testWorld();
  const model = scriptedProvider(
    diligentModel({
      subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
      verify: { cmd: 'node hello.mjs', prints: 'hello' },
      files: { 'hello.mjs': ['console.log("hello");\n'] },
    }),
    LARGE,
  );
  const goal = 'Write hello.mjs that prints hello';
  const machine = world.machine();
  const killed = runIn(world, model, {
    goal,
    machine,
    onRecord: (record) => {
      if (record.type === 'message_added' && record.cause === 'tool_result') machine.kill();
    },
  });
  await killed.catch(() => undefined);
  await runIn(world, model, { goal });
  const files = new Map([['README.md', README]]);
  collect(world.machine().fs, layoutOf(WORKSPACE).root, '', files);
  return files;
}

function collect(fs: FileSystem, folder: string, prefix: string, files: Map<string, string>): void {
  for (const name of fs.readdir(folder).sort()) {
    if (prefix === '' && LEFT_OUT.has(name)) continue;
    const path = join(folder, name);
    if (fs.stat(path).kind === 'directory') collect(fs, path, `${prefix}${name}/`, files);
    else files.set(`${prefix}${name}`, readAll(fs, path));
  }
}

function readAll(fs: FileSystem, path: string): string {
  const bytes = Buffer.alloc(fs.stat(path).size);
  const fd = fs.open(path, 'r');
  fs.read(fd, bytes, 0);
  fs.close(fd);
  return bytes.toString('utf8');
}
