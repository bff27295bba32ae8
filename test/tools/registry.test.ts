import { expect, it } from 'vitest';
import { callView } from '../../src/tools/call-view.ts';
import { builtinTools, offeredOf, toolDefinitions } from '../../src/tools/registry.ts';

const programs = {
  find: async () => ({ kind: 'missing' as const, reason: '', hint: '' }),
  environment: () => ({}),
};

const tools = builtinTools({ programs: programs as never });

it('offers the tools with the arguments users and models rely on', () => {
  const shapes = Object.fromEntries(
    toolDefinitions(tools).map(({ name, parameters }) => [
      name,
      [Object.keys(parameters.properties as object).join(' '), parameters.required ?? []],
    ]),
  );
  expect(shapes).toEqual({
    list_dir: ['path', []],
    read_file: ['path max_bytes start_line end_line', ['path']],
    find_files: ['pattern path', ['pattern']],
    search_text: ['pattern path regex ignore_case glob files_only offset', ['pattern']],
    write_file: ['path content create_dirs', ['path', 'content']],
    write_files: ['files create_dirs', ['files']],
    edit_file: ['path old_text new_text replace_all edits', ['path']],
    apply_patch: ['patch', ['patch']],
    delete_file: ['path', ['path']],
    move_file: ['path to', ['path', 'to']],
    run_cmd: ['cmd timeout_sec stdin env cwd background', ['cmd']],
    read_output: ['id from wait_sec', []],
    stop_process: ['id', ['id']],
    mark_subtask_complete: ['success reason answer summary ids', ['success']],
    set_plan: ['tasks proof answer_only brief why', ['tasks']],
    give_up: ['reason needs commands', ['reason']],
  });
});

it('tells a model without room, or that calls no tools by itself, of the few that each goal needs', () => {
  const few = (callsTools: boolean, window: number) =>
    offeredOf(tools, { callsTools, window }).map(({ name }) => name);
  expect(few(false, 32_768)).toEqual([
    ...['list_dir', 'read_file', 'search_text', 'write_file', 'edit_file', 'run_cmd'],
    'mark_subtask_complete',
  ]);
  expect(few(true, 4_096)).toEqual([
    ...['list_dir', 'read_file', 'write_file', 'edit_file', 'run_cmd', 'read_output'],
    ...['mark_subtask_complete', 'set_plan', 'give_up'],
  ]);
  expect(few(true, 8_192)).toEqual(tools.map(({ name }) => name));
});

it('describes them briefly, always in the same bytes, in keywords every backend knows', () => {
  const text = JSON.stringify(toolDefinitions(tools));
  // About four characters a token; a laptop reads fifty tokens a second.
  expect(text.length).toBeLessThan(7_400);
  expect(JSON.stringify(toolDefinitions(tools))).toBe(text);
  const keywords = new Set([...text.matchAll(/"(\$?\w+)":(?!\{)/g)].map((match) => match[1]));
  const stripped = ['$schema', 'default', 'additionalProperties', 'minimum', 'exclusiveMinimum'];
  for (const keyword of [...stripped, 'maximum', 'pattern', 'anyOf']) {
    expect(keywords).not.toContain(keyword);
  }
});

it('shows a call of a tool that a run has only with an option as what it is', () => {
  const url = 'https://example.org/';
  expect(callView('web_fetch', { url })).toMatchObject({
    kind: 'fetch',
    title: expect.stringContaining(url),
  });
  expect(callView('shell', { cmd: 'ls | wc' }).kind).toBe('execute');
});
