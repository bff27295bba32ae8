// Behind the special tokens of one model family, or as code: JSON in them is read, of other forms only that a call was begun.
import { ARGS, CALL, calls, READ, READ_CALL, samplesOf, shownBack, TEXT, WRITE } from './sample.ts';

const READ_ARGS = '{"path": "a.txt"}';
const QUOTE = '<|"|>';
const begun = shownBack('write_file {path: string', 'could not be read');

export const tokenSamples = samplesOf([
  ['[TOOL_CALLS] and a list', 'Mistral 7B v0.3', `[TOOL_CALLS] [${CALL}]`, calls(WRITE)],
  ['[TOOL_CALLS] and one object', 'Mistral Nemo', `[TOOL_CALLS]${CALL}`, calls(WRITE)],
  [
    'python_tag and JSON',
    'Llama 3.1 70B',
    `<|python_tag|>{"name": "write_file", "parameters": ${ARGS}}<|eom_id|>`,
    calls(WRITE),
  ],
  ['[TOOL_REQUEST]', 'any in LM Studio', `[TOOL_REQUEST]${CALL}[END_TOOL_REQUEST]`, calls(WRITE)],
  [
    'START_ACTION',
    'Command R7B',
    `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "write_file", "parameters": ${ARGS}}]<|END_ACTION|>`,
    calls(WRITE),
  ],
  [
    'action_start and plugin',
    'InternLM 2.5',
    `<|action_start|><|plugin|>\n{"name": "write_file", "parameters": ${ARGS}}<|action_end|>`,
    calls(WRITE),
  ],
  [
    'an invented result and what follows from it',
    'Qwen2.5 1.5B',
    `<tool_call>\n${READ_CALL}\n</tool_call>\n<tool_response>\nhi\n</tool_response>\n<tool_call>\n{"name": "run_cmd", "arguments": {"cmd": "rm a.txt"}}\n</tool_call>`,
    calls(READ),
  ],
  [
    'an invented result behind a call that acts',
    'Qwen2.5 3B',
    `<tool_call>\n${CALL}\n</tool_call>\n<tool_response>\nok\n</tool_response>\nIt is written.`,
    calls(WRITE),
  ],
  ['[TOOL_CALLS] and [ARGS]', 'Ministral 3', `[TOOL_CALLS]write_file[ARGS]${ARGS}`, begun],
  ['[TOOL_CALLS], the name at its arguments', 'Devstral', `[TOOL_CALLS]write_file${ARGS}`, begun],
  [
    'python_tag and .call',
    'Llama 3.1 8B',
    '<|python_tag|>write_file.call(path="a.txt", content="hi")',
    begun,
  ],
  [
    'tool_call_begin with its section',
    'Kimi K2',
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.write_file:0<|tool_call_argument_begin|>${ARGS}<|tool_call_end|><|tool_calls_section_end|>`,
    begun,
  ],
  [
    'begin and sep',
    'DeepSeek V3.1',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>write_file<｜tool▁sep｜>${ARGS}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    begun,
  ],
  [
    'start_function_call',
    'FunctionGemma',
    '<start_function_call>call:write_file{path:<escape>a.txt<escape>,content:<escape>hi<escape>}<end_function_call>',
    begun,
  ],
  [
    '<|tool_call>',
    'Gemma 4',
    `<|tool_call>call:write_file{content:${QUOTE}hi${QUOTE},path:${QUOTE}a.txt${QUOTE}}<tool_call|>`,
    begun,
  ],
  [
    'arg_key and arg_value',
    'GLM 4.6',
    '<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>',
    begun,
  ],
  [
    'the commentary channel after thinking',
    'gpt-oss 20B',
    `<|channel|>analysis<|message|>I read it.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>${READ_ARGS}<|call|>`,
    shownBack('read_file'),
  ],
  ['a list of Python', 'Llama 4 Scout', '[write_file(path="a.txt", content=\'hi\')]', begun],
  [
    'Python between tool_call_start and tool_call_end',
    'LFM2 1.2B',
    '<|tool_call_start|>[write_file(path="a.txt", content="hi")]<|tool_call_end|>',
    begun,
  ],
  [
    'Python in function_calls',
    'OLMo 3 7B',
    '<function_calls>\nwrite_file(path="a.txt", content="hi")\n</function_calls>',
    begun,
  ],
  [
    'tool_code fence with print',
    'Gemini 2.0 Flash',
    '```tool_code\nprint(default_api.write_file(path="a.txt", content="hi"))\n```',
    begun,
  ],
  [
    'Python without a list, and nothing else',
    'Hammer 2 0.5B',
    'write_file(path="a.txt", content="hi")',
    begun,
  ],
  [
    'code that calls a function of that name',
    'Llama 3.1 8B',
    'You can test it so:\n\n```python\nfrom helpers import write_file\n\nwrite_file(path="a.txt", content="hi")\n```',
    TEXT,
  ],
  [
    'a name with parentheses in a sentence',
    'any',
    'I call read_file(path="a.txt") to see it.',
    TEXT,
  ],
  ['a tool that is not there', 'Llama 4 Scout', '[send_mail(path="a.txt")]', TEXT],
  ['a list of numbers', 'any', '[1, 2, 3]', TEXT],
]);
