// Calls with something broken: asked for again.
import { ARGS, calls, READ, samplesOf, shownBack, TEXT } from './sample.ts';

const RUN: readonly string[] = ['run_cmd', 'not carried out'];
const ran = shownBack(...RUN);
const wrote = shownBack('write_file', 'not carried out');

export const damageSamples = samplesOf([
  [
    'read: names without quotes',
    'Qwen2.5-Coder 0.5B',
    '{name: "read_file", arguments: {path: "a.txt"}}',
    shownBack('read_file'),
  ],
  [
    'read: single quotes',
    'TinyLlama',
    "{'name': 'read_file', 'arguments': {'path': 'a.txt'}}",
    shownBack('read_file'),
  ],
  [
    'read: a comma too many',
    'Phi-3 mini',
    '{"name": "read_file", "arguments": {"path": "a.txt",}}',
    shownBack('read_file'),
  ],
  [
    'read: a brace too few',
    'Qwen2.5-Coder 0.5B',
    '{"name": "read_file", "arguments": {"path": "a.txt"}',
    shownBack('read_file'),
  ],
  [
    'read: a brace too few in a tag',
    'Qwen2.5 0.5B',
    '<tool_call>{"name": "read_file", "arguments": {"path": "a.txt"}</tool_call>',
    shownBack('read_file'),
  ],
  [
    'read: a brace too many',
    'Qwen2.5 0.5B',
    '<tool_call>{"name": "read_file", "arguments": {"path": "a.txt"}}}</tool_call>',
    calls(READ),
  ],
  [
    'read: a comment',
    'Gemma 2 2B',
    '{"name": "read_file", // look\n "arguments": {"path": "a.txt"}}',
    shownBack('read_file'),
  ],
  [
    'read: words of Python',
    'DeepSeek-Coder 1.3B',
    "{'name': 'read_file', 'arguments': {'path': 'a.txt', 'max_bytes': None}}",
    shownBack('read_file'),
  ],
  ['read: curly quotes', 'Yi 6B', '{“name”: “read_file”, “arguments”: {“path”: “a.txt”}}', TEXT],
  [
    'read: cut inside a string',
    'Qwen2.5-Coder 1.5B',
    '{"name": "read_file", "arguments": {"path": "src/a.t',
    shownBack('read_file'),
  ],
  [
    'read: cut inside a string, in a tag',
    'Qwen2.5 0.5B',
    '<tool_call>\n{"name": "read_file", "arguments": {"path": "src/a.t',
    shownBack('read_file'),
  ],
  [
    'run: names without quotes',
    'Qwen2.5-Coder 0.5B',
    '{name: "run_cmd", arguments: {cmd: "ls"}}',
    ran,
  ],
  ['run: single quotes', 'TinyLlama', "{'name': 'run_cmd', 'arguments': {'cmd': 'ls'}}", ran],
  ['run: a comma too many', 'Phi-3 mini', '{"name": "run_cmd", "arguments": {"cmd": "ls",}}', ran],
  ['run: a comma too few', 'Phi-3 mini', '{"name": "run_cmd" "arguments": {"cmd": "ls"}}', ran],
  [
    'run: a brace too few',
    'Qwen2.5-Coder 0.5B',
    '{"name": "run_cmd", "arguments": {"cmd": "ls"}',
    ran,
  ],
  [
    'run: a brace too few in a fence',
    'Qwen2.5-Coder 1.5B',
    '```json\n{"name": "run_cmd", "arguments": {"cmd": "ls"}\n```',
    ran,
  ],
  [
    'run: backslashes of a Windows path',
    'Qwen2.5-Coder 1.5B',
    '{"name": "run_cmd", "arguments": {"cmd": "dir C:\\Windows\\System32"}}',
    shownBack('run_cmd', 'not carried out'),
  ],
  [
    'run: quotes inside a string',
    'Qwen2.5-Coder 1.5B',
    '{"name": "run_cmd", "arguments": {"cmd": "python -c "print(1)""}}',
    shownBack('not carried out'),
  ],
  [
    'run: a name tag with broken JSON',
    'Llama 3.2 3B',
    '<function=run_cmd>{cmd: "ls"}</function>',
    ran,
  ],
  [
    'run: broken JSON in arguments that are text',
    'Functionary',
    '{"name": "run_cmd", "arguments": "{cmd: \\"ls\\"}"}',
    ran,
  ],
  [
    'write: names without quotes, as recorded',
    'Qwen2.5-Coder 0.5B',
    '{"name": "write_file", "arguments": {path: "a.txt", "content": "hi"}}',
    wrote,
  ],
  [
    'write: three quotes',
    'Qwen2.5-Coder 3B',
    '{"name": "write_file", "arguments": {"path": "a.py", "content": """def f():\n    return "x"\n"""}}',
    shownBack('write_file', 'not carried out'),
  ],
  [
    'write: backticks around the content',
    'Qwen2.5-Coder 7B',
    '{"name": "write_file", "arguments": {"path": "a.js", "content": `let a = "x";\n`}}',
    shownBack('write_file', 'not carried out'),
  ],
  [
    'write: quotes inside the content',
    'Qwen2.5-Coder 1.5B',
    '{"name": "write_file", "arguments": {"path": "a.py", "content": "print("hi")"}}',
    shownBack('write_file', 'not carried out'),
  ],
  [
    'write: a backslash that escapes nothing',
    'Qwen2.5-Coder 1.5B',
    '{"name": "write_file", "arguments": {"path": "a.py", "content": "re.match(\'\\d\', x)"}}',
    shownBack('write_file', 'not carried out'),
  ],
  [
    'write: strings that are added',
    'Phi-3 mini',
    '{"name": "write_file", "arguments": {"path": "a.py", "content": "a" + "b"}}',
    shownBack('write_file', 'not carried out'),
  ],
  [
    'write: cut in the content',
    'Qwen2.5-Coder 1.5B',
    '{"name": "write_file", "arguments": {"path": "a.txt", "',
    shownBack('write_file', 'not carried out'),
  ],
  [
    'write: a comment in the JSON',
    'Gemma 2 2B',
    '{"name": "write_file", "arguments": {"path": "a.txt", "content": "hi" /* short */}}',
    wrote,
  ],
  [
    'write: parameters not closed',
    'Qwen3-Coder 30B',
    '<function=write_file>\n<parameter=path>\na.txt\n<parameter=content>\nhi\n</function>',
    wrote,
  ],
  [
    'write: cut in the last parameter',
    'Qwen3-Coder 30B',
    '<tool_call>\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n<parameter=content>\nhi',
    shownBack('write_file', 'not carried out'),
  ],
  [
    'write: a whole call, then a broken one',
    'Qwen2.5-Coder 1.5B',
    `{"name": "write_file", "arguments": ${ARGS}}\n{"name": "run_cmd", "arguments": {cmd: "ls"}}`,
    shownBack('run_cmd', 'not carried out'),
  ],
  [
    'write: a value that is only a placeholder',
    'Qwen2.5-Coder 1.5B',
    '{"name": "write_file", "arguments": {"path": "a.py", "content": "..."}}',
    shownBack('write_file', '"..."'),
  ],
  [
    'done: single quotes',
    'TinyLlama',
    "{'name': 'mark_subtask_complete', 'arguments': {'success': True}}",
    shownBack('mark_subtask_complete', 'not carried out'),
  ],
  [
    'a tag and nothing that can be read',
    'Qwen2.5 0.5B',
    '<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call>',
    shownBack('not carried out'),
  ],
]);
