/** Proofs that print nothing: their exit code says it, before the work and after it. */
import { describe, expect, it } from 'vitest';
import { runGoal } from '../../src/agent.ts';
import { realFolder, realMachine, textIn } from '../support/real-run.ts';
import {
  LARGE,
  SCRIPTED_MODEL,
  type ScriptedCall,
  scriptedProvider,
} from '../support/scripted-provider.ts';

const call = (name: string, args: Record<string, unknown>): ScriptedCall => ({ name, args });
const DONE = call('mark_subtask_complete', { success: true, reason: 'it is done' });
const write = (path: string, content: string): ScriptedCall =>
  call('write_file', { path, content });
const look = (cmd: string): ScriptedCall => call('run_cmd', { cmd });

interface Work {
  readonly goal: string;
  readonly files?: { readonly [path: string]: string };
  readonly proof: string;
  readonly work: readonly ScriptedCall[];
}

async function run({ goal, files = {}, proof, work }: Work) {
  const workspace = realFolder(files);
  const plan = call('set_plan', {
    tasks: [{ description: 'work', subtasks: [{ do: goal }] }],
    proof: { cmd: proof },
  });
  const replies: string[] = [];
  const provider = scriptedProvider(({ messages }) => {
    replies.push(...messages.flatMap((one) => (one.role === 'tool' ? [one.content] : [])));
    const isFirst = messages.every(({ role }) => role !== 'assistant');
    return { calls: isFirst ? [plan, ...work, DONE] : [DONE] };
  }, LARGE);
  const result = await runGoal({
    ...{ goal, workspace, provider, model: SCRIPTED_MODEL },
    machine: realMachine(),
  });
  return { result, workspace, replies: replies.join('\n') };
}

const ASSERT = `node -e "require('node:assert').equal(require('node:fs').readFileSync('a.txt','utf8').trim(), 'two')"`;

describe('a proof that prints nothing', () => {
  it('proves a change where it failed before and passes now (p61)', async () => {
    const { result, workspace } = await run({
      goal: 'a.txt must say two',
      files: { 'a.txt': 'one\n' },
      proof: ASSERT,
      work: [call('read_file', { path: 'a.txt' }), write('a.txt', 'two\n')],
    });
    expect(textIn(workspace, 'a.txt')).toBe('two\n');
    expect(result).toMatchObject({ ending: 'achieved' });
  });

  it('proves that a broken file parses again (p50)', async () => {
    const { result } = await run({
      goal: 'Mend the syntax of broken.js',
      files: { 'broken.js': 'exports.add = (a, b) => { return a + b;\n' },
      proof: 'node --check broken.js',
      work: [
        call('read_file', { path: 'broken.js' }),
        write('broken.js', 'exports.add = (a, b) => { return a + b; };\n'),
      ],
    });
    expect(result).toMatchObject({ ending: 'achieved' });
  });

  it('leaves a new file unverified, and nobody says that it did not end well (p32)', async () => {
    const { result, replies } = await run({
      goal: 'Write ok.js',
      proof: 'node --check ok.js',
      work: [write('ok.js', 'exports.ok = () => true;\n'), look('node --check ok.js')],
    });
    expect(replies).not.toContain('did not end well');
    expect(replies).not.toContain('printed nothing:');
    expect(result).toMatchObject({ ending: 'unverified' });
  });
});
