import { describe, expect, it } from 'vitest';
import type { Capability } from '../../src/schema/actions.ts';
import type { ToolCall } from '../../src/schema/model/messages.ts';
import type { RunCmdOptions } from '../../src/tools/builtin/run-cmd.ts';
import { validateCall } from '../../src/tools/calls/validate-call.ts';
import { builtinTools } from '../../src/tools/registry.ts';
import {
  classOf,
  commandCall,
  programHints,
  targetOf,
  toolNamed,
  toolThat,
} from '../../src/tools/toolset.ts';

const tools = builtinTools({} as RunCmdOptions);

/** The arguments that every tool of that kind takes. */
const EXAMPLES: { readonly [does in Capability]: ToolCall['args'] } = {
  writes_whole_files: { path: 'a.txt', content: 'x' },
  edits_files: { path: 'a.txt', old_text: 'x', new_text: 'y' },
  rearranges_files: { path: 'a.txt' },
  reads_files: { path: 'a.txt' },
  lists_folders: { path: '.' },
  runs_commands: { cmd: 'node a.mjs', stdin: '1' },
  ends_subtasks: { success: true },
  sets_plan: { tasks: [{ description: 'the work', subtasks: [{ do: 'it' }] }] },
  gives_up: { reason: 'it cannot be' },
};

describe('a tool is found by what it does', () => {
  it.each(Object.keys(EXAMPLES) as Capability[])('%s, and takes the arguments of that', (does) => {
    const args = EXAMPLES[does];
    const valid = validateCall({ id: 'c', name: toolThat(tools, does)?.name ?? '', args }, tools);
    expect(valid).toMatchObject({ kind: 'valid', args });
  });

  it('under whatever name it has', () => {
    const renamed = tools.map((tool) => ({ ...tool, name: `my_${tool.name}` }));
    const call = commandCall(renamed, { cmd: 'node a.mjs', stdin: '1', cwd: undefined });
    expect(call).toEqual({ name: 'my_run_cmd', args: { cmd: 'node a.mjs', stdin: '1' } });
  });

  it('or not at all, where a run has none', () => {
    const few = tools.filter((tool) => tool.does !== 'runs_commands');
    expect(toolThat(few, 'runs_commands')).toBeNull();
    expect(commandCall(few, { cmd: 'ls' })).toBeNull();
    expect(toolNamed(few, 'run_cmd')).toBeNull();
  });
});

describe('a tool says of itself', () => {
  it.each([
    ['list_dir', { path: 'src' }, { kind: 'folder', text: 'src' }],
    ['read_file', { path: 'a.txt' }, { kind: 'file', text: 'a.txt' }],
    ['run_cmd', { cmd: 'node a.mjs' }, { kind: 'command', text: 'node a.mjs' }],
    ['write_file', { path: 7 }, null],
    ['mark_subtask_complete', { success: true }, null],
    ['no_such_tool', {}, null],
  ])('what a call of %s with %j is about', (name, args, target) => {
    expect(targetOf(tools, name, args)).toEqual(target);
  });

  it('what it touches, how it settles, and with it the class of its intents', () => {
    const said = tools.map((tool) => [tool.name, tool.touches, tool.afterCrash, classOf(tool)]);
    expect(said).toEqual([
      ['list_dir', 'reads', 'repeat', 'read'],
      ['read_file', 'reads', 'repeat', 'read'],
      ['find_files', 'reads', 'repeat', 'read'],
      ['search_text', 'reads', 'repeat', 'read'],
      ['write_file', 'files', 'compare_files', 'write'],
      ['write_files', 'files', 'compare_files', 'write'],
      ['edit_file', 'files', 'compare_files', 'write'],
      ['apply_patch', 'files', 'compare_files', 'write'],
      ['delete_file', 'files', 'compare_files', 'write'],
      ['move_file', 'files', 'compare_files', 'write'],
      ['run_cmd', 'process', 'unknown', 'command'],
      ['read_output', 'reads', 'repeat', 'read'],
      ['stop_process', 'nothing', 'repeat', 'control'],
      ['mark_subtask_complete', 'nothing', 'repeat', 'control'],
      ['set_plan', 'nothing', 'repeat', 'control'],
      ['give_up', 'nothing', 'repeat', 'control'],
    ]);
  });

  it('whether a plan may name it, and with which of its arguments', () => {
    for (const { inPlan, args, name } of tools) {
      const known = Object.keys(args.jsonSchema.properties as object);
      expect(known, name).toEqual(
        expect.arrayContaining([inPlan?.target ?? [], inPlan?.args ?? []].flat()),
      );
    }
    const inPlans = tools.filter((tool) => tool.inPlan !== undefined).map((tool) => tool.name);
    expect(inPlans).toEqual(['list_dir', 'read_file', 'write_file', 'edit_file', 'run_cmd']);
  });

  it('which programs it stands in for, each of them once', () => {
    const programs = tools.flatMap((tool) => Object.keys(tool.replacesPrograms ?? {}));
    expect(programHints(tools).size).toBe(programs.length);
    expect(programHints(tools).get('ls')).toBe('Use the tool list_dir.');
  });

  it('that a call of it ends the subtask, and what the call says', async () => {
    const ending = tools.filter((tool) => tool.claim !== undefined);
    expect(ending.map((tool) => tool.name)).toEqual(['mark_subtask_complete']);
    const args = { success: false, reason: 'no file' };
    const prepared = await ending[0]?.prepare(args, {} as never);
    const result = prepared?.kind === 'ready' && (await prepared.perform({} as never));
    expect(result).toMatchObject({ content: 'no file', claim: ending[0]?.claim?.(args) });
  });
});
