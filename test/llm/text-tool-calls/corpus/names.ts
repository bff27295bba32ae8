// Near misses of names and arguments: put right where only one reading is left.
import { ARGS, calls, READ, samplesOf, shownBack, TEXT, WRITE } from './sample.ts';

const named = (name: string, args = '{"path": "a.txt"}'): string =>
  JSON.stringify({ name, arguments: JSON.parse(args) });

export const nameSamples = samplesOf([
  ['functions. before the name', 'gpt-oss 20B', named('functions.write_file', ARGS), calls(WRITE)],
  ['functions. and :0 around the name', 'Kimi K2', named('functions.read_file:0'), calls(READ)],
  ['default_api. before the name', 'Gemini 2.0 Flash', named('default_api.read_file'), calls(READ)],
  ['tools/ before the name', 'Command R', named('tools/read_file'), calls(READ)],
  ['capitals', 'TinyLlama', named('READ_FILE'), calls(READ)],
  ['camel case', 'StarCoder2', named('readFile'), calls(READ)],
  ['Pascal case', 'Claude distillations', named('WriteFile', ARGS), calls(WRITE)],
  ['a hyphen', 'Gemma 2 2B', named('read-file'), calls(READ)],
  ['a space', 'Gemma 2 2B', named('read file'), calls(READ)],
  ['parentheses behind', 'Phi-3 mini', named('read_file()'), calls(READ)],
  ['filename', 'Qwen2.5-Coder 0.5B', named('read_file', '{"filename": "a.txt"}'), calls(READ)],
  [
    'file_path and contents',
    'Llama 3.2 3B',
    named('write_file', '{"file_path": "a.txt", "contents": "hi"}'),
    calls(WRITE),
  ],
  [
    'filePath in camel case',
    'Mistral 7B',
    named('write_file', '{"filePath": "a.txt", "content": "hi"}'),
    calls(WRITE),
  ],
  [
    'command',
    'Llama 3.1 8B',
    named('run_cmd', '{"command": "ls", "timeout": "5"}'),
    calls(['run_cmd', { cmd: 'ls', timeout_sec: 5 }]),
  ],
  [
    'a hyphen in an argument',
    'Gemma 2 2B',
    named('read_file', '{"path": "a.txt", "start-line": 3}'),
    calls(['read_file', { path: 'a.txt', start_line: 3 }]),
  ],
  [
    'numbers as text',
    'Llama 3.2 1B',
    named('read_file', '{"path": "a.txt", "startLine": "3"}'),
    calls(['read_file', { path: 'a.txt', start_line: 3 }]),
  ],
  [
    'a flag as text',
    'Llama 3.2 1B',
    named('mark_subtask_complete', '{"success": "True"}'),
    calls(['mark_subtask_complete', { success: true }]),
  ],
  [
    'an edit in the words of others',
    'Claude distillations',
    named('edit_file', '{"file": "a.txt", "old_string": "a", "new_string": "b"}'),
    calls(['edit_file', { path: 'a.txt', old_text: 'a', new_text: 'b' }]),
  ],
  [
    'a reason beside the arguments',
    'Qwen2.5-Coder 1.5B',
    named('read_file', '{"path": "a.txt", "reason": "to see it"}'),
    calls(READ),
  ],
  [
    'two names for one argument',
    'Qwen2.5-Coder 0.5B',
    named('read_file', '{"file": "a.txt", "filename": "b.txt"}'),
    shownBack('read_file {path: string'),
  ],
  [
    'an argument that would change the meaning',
    'Llama 3.1 8B',
    named('write_file', '{"path": "a.txt", "content": "hi", "append": true}'),
    shownBack('append', 'write_file {path: string'),
  ],
  [
    'an argument too many, as recorded',
    'Qwen2.5-Coder 0.5B',
    '{"name": "write_file", "arguments": {"path": "a.txt", "content": "hi", "size": 2}}',
    shownBack('size', 'write_file {path: string'),
  ],
  [
    'an argument missing',
    'Qwen2.5-Coder 1.5B',
    named('write_file'),
    shownBack('content', 'write_file {path: string'),
  ],
  [
    'an argument of a wrong type',
    'Llama 3.2 1B',
    named('read_file', '{"path": ["a.txt"]}'),
    shownBack('path', 'read_file {path: string'),
  ],
  [
    'a name close to one',
    'Llama 3.2 1B',
    named('reed_file'),
    shownBack('reed_file', 'read_file {path: string', 'list_dir, read_file'),
  ],
  [
    'a name that means one',
    'Llama 3.1 8B',
    named('bash', '{"command": "ls"}'),
    shownBack('bash', 'run_cmd {cmd: string', 'list_dir, read_file'),
  ],
  [
    'a name that is not declared, as recorded',
    'Qwen2.5-Coder 0.5B',
    '{"name": "erase_disk", "arguments": {"path": "a.txt", "content": "hi"}}',
    shownBack('erase_disk', 'list_dir, read_file'),
  ],
  [
    'a name that is not declared, in a tag',
    'Qwen2.5 1.5B',
    '<tool_call>{"name": "erase_disk", "arguments": {}}</tool_call>',
    shownBack('erase_disk', 'list_dir, read_file'),
  ],
  ['a name that is not declared, as a key', 'Gemma 2 2B', '{"erase_disk": {"path": "/"}}', TEXT],
  ['a name of JavaScript itself', 'none', named('constructor', '{}'), shownBack('constructor')],
  [
    'keys of JavaScript itself',
    'none',
    '{"name": "read_file", "arguments": {"path": "a.txt", "__proto__": {"x": 1}}}',
    shownBack('read_file {path: string'),
  ],
]);
