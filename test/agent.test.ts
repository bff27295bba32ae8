import { describe, expect, it } from 'vitest';
import { diligentModel } from './support/models.ts';
import { runIn } from './support/run-in.ts';
import { scriptedProvider } from './support/scripted-provider.ts';
import { testWorld } from './support/test-machine.ts';

const HELLO = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};

describe.each(['native', 'json'] as const)('a goal in %s mode', (toolMode) => {
  it('is achieved when the program is written and its proof passes', async () => {
    const world = testWorld();
    const { result, records } = await runIn(world, scriptedProvider(diligentModel(HELLO)), {
      toolMode,
    });
    if (process.env.SHOW)
      console.log(records.map((r) => JSON.stringify(r).slice(0, 160)).join('\n'));
    expect(result.ending).toBe('achieved');
    expect(world.read('hello.mjs')).toBe('console.log("hello");\n');
    expect(world.commands.map(({ line }) => line)).toEqual(['node hello.mjs']);
  });
});
