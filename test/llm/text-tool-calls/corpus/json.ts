// JSON without tokens of its own: bare, in fences, and the many names for its keys.
import { ARGS, CALL, calls, READ, READ_CALL, samplesOf, shownBack, WRITE } from './sample.ts';

const ARGS_TEXT = JSON.stringify(ARGS);
const unclear = shownBack('write_file', 'only shown');
const DONE = '{"name": "mark_subtask_complete", "arguments": {"success": true}}';

export const jsonSamples = samplesOf([
  ['bare', 'Qwen2.5-Coder 1.5B', CALL, calls(WRITE)],
  [
    'bare, printed on many lines',
    'Qwen2.5-Coder 0.5B',
    JSON.stringify(JSON.parse(CALL), null, 2),
    calls(WRITE),
  ],
  ['json fence', 'Qwen2.5-Coder 1.5B', `\`\`\`json\n${CALL}\n\`\`\``, calls(WRITE)],
  ['fence without a name', 'Gemma 2 9B', `\`\`\`\n${CALL}\n\`\`\``, calls(WRITE)],
  ['fence on one line', 'Gemma 2 9B', `\`\`\`json ${CALL} \`\`\``, calls(WRITE)],
  ['fence that is not closed', 'Qwen2.5-Coder 0.5B', `\`\`\`json\n${CALL}`, calls(WRITE)],
  [
    'fence after a sentence',
    'Llama 3.2 3B',
    `I will create the file now.\n\n\`\`\`json\n${CALL}\n\`\`\``,
    calls(WRITE),
  ],
  [
    'fence, a sentence around',
    'Phi-4 mini',
    `Sure!\n\n\`\`\`json\n${CALL}\n\`\`\`\n\nThis creates the file.`,
    unclear,
  ],
  ['json5 fence', 'DeepSeek-Coder 6.7B', `\`\`\`json5\n${CALL}\n\`\`\``, calls(WRITE)],
  [
    'fence with Windows line ends',
    'Qwen2.5-Coder 1.5B',
    `\`\`\`json\r\n${CALL}\r\n\`\`\`\r\n`,
    calls(WRITE),
  ],
  ['tool_call fence', 'Hermes 3', `\`\`\`tool_call\n${CALL}\n\`\`\``, calls(WRITE)],
  ['after a sentence that ends in a colon', 'Mistral 7B', `I write the file: ${CALL}`, unclear],
  [
    'between sentences on lines of their own',
    'Llama 3.1 8B',
    `Sure, I will do that.\n\n${CALL}\nDone.`,
    unclear,
  ],
  [
    'outer braces doubled, one too many at the end',
    'Qwen2.5-Coder 1.5B',
    `{{"name": "write_file", "arguments": ${ARGS}}}}`,
    calls(WRITE),
  ],
  [
    'outer braces doubled',
    'Qwen2.5-Coder 1.5B',
    `{{"name": "write_file", "arguments": ${ARGS}}}`,
    calls(WRITE),
  ],
  [
    'all braces doubled',
    'Qwen2.5-Coder 0.5B',
    '{{"name": "write_file", "arguments": {{"path": "a.txt", "content": "hi"}}}}',
    calls(WRITE),
  ],
  [
    'doubled braces in a fence',
    'Qwen2.5-Coder 0.5B',
    `\`\`\`json\n{{"name": "write_file", "arguments": ${ARGS}}}\n\`\`\``,
    calls(WRITE),
  ],
  ['parameters', 'Llama 3.1 8B', `{"name": "write_file", "parameters": ${ARGS}}`, calls(WRITE)],
  [
    'type function beside it',
    'Llama 3.2 3B',
    `{"type": "function", "name": "write_file", "parameters": ${ARGS}}`,
    calls(WRITE),
  ],
  [
    'OpenAI, arguments as text',
    'Functionary',
    `{"type":"function","function":{"name":"write_file","arguments":${ARGS_TEXT}}}`,
    calls(WRITE),
  ],
  [
    'an OpenAI message',
    'xLAM',
    `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"write_file","arguments":${ARGS_TEXT}}}]}`,
    calls(WRITE),
  ],
  ['tool_calls around a list', 'Nemotron Nano', `{"tool_calls": [${READ_CALL}]}`, calls(READ)],
  ['list of one', 'xLAM 1B', `[${CALL}]`, calls(WRITE)],
  ['list of two', 'Hammer 2', `[${CALL}, ${READ_CALL}]`, calls(WRITE, READ)],
  [
    'two, one a line',
    'Qwen2.5-Coder 1.5B',
    `${CALL}\n${DONE}`,
    calls(WRITE, ['mark_subtask_complete', { success: true }]),
  ],
  [
    'two, a semicolon between',
    'Llama 3.2 3B',
    `${READ_CALL}; ${DONE}`,
    calls(READ, ['mark_subtask_complete', { success: true }]),
  ],
  [
    'two fences',
    'Gemma 3 4B',
    `\`\`\`json\n${CALL}\n\`\`\`\nThen\n\`\`\`json\n${READ_CALL}\n\`\`\``,
    calls(WRITE, READ),
  ],
  ['functools before a list', 'Phi-4 mini', `functools[${CALL}]`, unclear],
  ['tool and args', 'Granite 3 2B', `{"tool": "write_file", "args": ${ARGS}}`, calls(WRITE)],
  [
    'tool_name and tool_input',
    'Command R',
    `{"tool_name": "write_file", "tool_input": ${ARGS}}`,
    calls(WRITE),
  ],
  [
    'action and action_input',
    'Llama 2 13B',
    `{"action": "write_file", "action_input": ${ARGS}}`,
    calls(WRITE),
  ],
  [
    'function_name',
    'InternLM 2.5',
    `{"function_name": "write_file", "arguments": ${ARGS}}`,
    calls(WRITE),
  ],
  [
    'function as name',
    'Mistral 7B',
    `{"function": "write_file", "parameters": ${ARGS}}`,
    calls(WRITE),
  ],
  [
    'function as object with the name as its key',
    'StableLM',
    `{"function": {"write_file": ${ARGS}}}`,
    shownBack('write_file', 'could not be read'),
  ],
  [
    'recipient_name',
    'gpt-oss 20B',
    `{"recipient_name": "functions.write_file", "parameters": ${ARGS}}`,
    calls(WRITE),
  ],
  [
    'tool_use',
    'Claude distillations',
    `{"type": "tool_use", "id": "t1", "name": "write_file", "input": ${ARGS}}`,
    calls(WRITE),
  ],
  [
    'name as key',
    'Gemma 2 2B',
    `{"write_file": ${ARGS}}`,
    shownBack('write_file', 'could not be read'),
  ],
  [
    'arguments beside the name',
    'TinyLlama',
    '{"name": "write_file", "path": "a.txt", "content": "hi"}',
    shownBack('write_file', 'could not be read'),
  ],
  [
    'an action of the json mode',
    'Qwen2.5-Coder 1.5B',
    '{"action": "run_cmd", "because": "it is next", "cmd": "python a.py"}',
    shownBack('run_cmd', 'could not be read'),
  ],
  [
    'arguments before the name',
    'Qwen2.5-Coder 0.5B',
    `{"arguments": ${ARGS}, "name": "write_file"}`,
    calls(WRITE),
  ],
  [
    'no arguments wanted, none given',
    'Llama 3.2 1B',
    '{"name": "list_dir", "arguments": {}}',
    calls(['list_dir', {}]),
  ],
  [
    'arguments null',
    'Llama 3.2 1B',
    '{"name": "list_dir", "parameters": null}',
    calls(['list_dir', {}]),
  ],
  [
    'line breaks in a string, not escaped',
    'Qwen2.5-Coder 1.5B',
    '{"name": "write_file", "arguments": {"path": "a.py", "content": "one\n\ttwo\n"}}',
    calls(['write_file', { path: 'a.py', content: 'one\n\ttwo\n' }]),
  ],
  [
    'a fence inside the content',
    'Qwen2.5-Coder 1.5B',
    JSON.stringify({
      name: 'write_file',
      arguments: { path: 'README.md', content: '# A\n```sh\nls\n```\n' },
    }),
    calls(['write_file', { path: 'README.md', content: '# A\n```sh\nls\n```\n' }]),
  ],
  [
    'a fence inside the content, inside a fence',
    'Qwen2.5-Coder 1.5B',
    `\`\`\`json\n${JSON.stringify({ name: 'write_file', arguments: { path: 'README.md', content: '```json\n{"name": "run_cmd", "arguments": {"cmd": "ls"}}\n```' } })}\n\`\`\``,
    calls([
      'write_file',
      {
        path: 'README.md',
        content: '```json\n{"name": "run_cmd", "arguments": {"cmd": "ls"}}\n```',
      },
    ]),
  ],
  [
    'thinking tags inside the content',
    'Qwen3 8B',
    JSON.stringify({
      name: 'write_file',
      arguments: { path: 'a.md', content: 'Use <think>x</think>.' },
    }),
    calls(['write_file', { path: 'a.md', content: 'Use <think>x</think>.' }]),
  ],
  ['ends before the server noticed', 'Llama 3.1 8B', `${READ_CALL}<|eot_id|>`, calls(READ)],
  ['the same call twice', 'Qwen2.5-Coder 0.5B', `${CALL}\n${CALL}`, calls(WRITE)],
]);
