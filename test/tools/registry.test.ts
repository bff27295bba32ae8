import { expect, it } from 'vitest';
import { builtinTools, declaredOf, toolDefinitions } from '../../src/tools/registry.ts';

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
    write_file: ['path content create_dirs', ['path', 'content']],
    edit_file: ['path old_text new_text replace_all', ['path', 'old_text', 'new_text']],
    run_cmd: ['cmd timeout_sec stdin', ['cmd']],
    read_output: ['id from', []],
    mark_subtask_complete: ['success reason answer summary ids', ['success']],
  });
});

it('has a tool on request only in a run that asks for it, in its place', () => {
  const rare = tools.map((tool) =>
    tool.does === 'lists_folders' || tool.does === 'reads_files'
      ? { ...tool, declared: 'on_request' as const }
      : tool,
  );
  const names = (some: typeof tools) => some.map(({ name }) => name);
  expect(names(declaredOf(rare))).toEqual(names(tools.slice(2)));
  const asked = declaredOf(rare, (tool) => tool.does === 'reads_files');
  expect(names(asked)).toEqual(names(tools.slice(1)));
});

it('describes them briefly, always in the same bytes, in keywords every backend knows', () => {
  const text = JSON.stringify(toolDefinitions(tools));
  // About four characters a token; a laptop reads fifty tokens a second.
  expect(text.length).toBeLessThan(2_800);
  expect(JSON.stringify(toolDefinitions(tools))).toBe(text);
  const keywords = new Set([...text.matchAll(/"(\$?\w+)":/g)].map((match) => match[1]));
  const stripped = ['$schema', 'default', 'additionalProperties', 'minimum', 'exclusiveMinimum'];
  for (const keyword of [...stripped, 'maximum', 'pattern', 'anyOf']) {
    expect(keywords).not.toContain(keyword);
  }
});
