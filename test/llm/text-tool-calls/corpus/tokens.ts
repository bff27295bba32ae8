// Behind the special tokens of one model family, as they look when a server lets them through.
import { ARGS, CALL, calls, READ, READ_CALL, samplesOf, WRITE } from './sample.ts';

const READ_ARGS = '{"path": "a.txt"}';
const QUOTE = '<|"|>';

export const tokenSamples = samplesOf([
  ['[TOOL_CALLS] and a list', 'Mistral 7B v0.3', `[TOOL_CALLS] [${CALL}]`, calls(WRITE)],
  ['[TOOL_CALLS] and one object', 'Mistral Nemo', `[TOOL_CALLS]${CALL}`, calls(WRITE)],
  ['[TOOL_CALLS] and [ARGS]', 'Ministral 3', `[TOOL_CALLS]write_file[ARGS]${ARGS}`, calls(WRITE)],
  [
    '[TOOL_CALLS], [CALL_ID] and [ARGS]',
    'Mistral Small 3.2',
    `[TOOL_CALLS]write_file[CALL_ID]abc123[ARGS]${ARGS}`,
    calls(WRITE),
  ],
  [
    '[TOOL_CALLS], the name at its arguments',
    'Devstral',
    `[TOOL_CALLS]write_file${ARGS}`,
    calls(WRITE),
  ],
  [
    '[TOOL_CALLS] twice',
    'Ministral 3',
    `[TOOL_CALLS]write_file[ARGS]${ARGS}[TOOL_CALLS]read_file[ARGS]${READ_ARGS}`,
    calls(WRITE, READ),
  ],
  [
    'python_tag and JSON',
    'Llama 3.1 70B',
    `<|python_tag|>{"name": "write_file", "parameters": ${ARGS}}<|eom_id|>`,
    calls(WRITE),
  ],
  [
    'python_tag and .call',
    'Llama 3.1 8B',
    '<|python_tag|>write_file.call(path="a.txt", content="hi")',
    calls(WRITE),
  ],
  ['[TOOL_REQUEST]', 'any in LM Studio', `[TOOL_REQUEST]${CALL}[END_TOOL_REQUEST]`, calls(WRITE)],
  [
    'tool_call_begin with its section',
    'Kimi K2',
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.write_file:0<|tool_call_argument_begin|>${ARGS}<|tool_call_end|><|tool_calls_section_end|>`,
    calls(WRITE),
  ],
  [
    'tool_call_begin, two calls',
    'Kimi K2',
    `<|tool_call_begin|>functions.write_file:0<|tool_call_argument_begin|>${ARGS}<|tool_call_end|><|tool_call_begin|>functions.read_file:1<|tool_call_argument_begin|>${READ_ARGS}<|tool_call_end|>`,
    calls(WRITE, READ),
  ],
  [
    'begin and sep with a fence',
    'DeepSeek R1',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>write_file\n\`\`\`json\n${ARGS}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    calls(WRITE),
  ],
  [
    'begin and sep',
    'DeepSeek V3.1',
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>write_file<｜tool▁sep｜>${ARGS}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    calls(WRITE),
  ],
  [
    'begin and sep in ASCII',
    'DeepSeek R1 Distill',
    `<|tool_calls_begin|><|tool_call_begin|>function<|tool_sep|>write_file\n\`\`\`json\n${ARGS}\n\`\`\`<|tool_call_end|>`,
    calls(WRITE),
  ],
  [
    'START_ACTION',
    'Command R7B',
    `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "write_file", "parameters": ${ARGS}}]<|END_ACTION|>`,
    calls(WRITE),
  ],
  [
    'Action and a fence',
    'Command R',
    `Action: \`\`\`json\n[{"tool_name": "write_file", "parameters": ${ARGS}}]\n\`\`\``,
    calls(WRITE),
  ],
  [
    'start_function_call',
    'FunctionGemma',
    '<start_function_call>call:write_file{path:<escape>a.txt<escape>,content:<escape>hi<escape>}<end_function_call>',
    calls(WRITE),
  ],
  [
    'start_function_call with a number and a flag',
    'FunctionGemma',
    '<start_function_call>call:read_file{path:<escape>a.txt<escape>,start_line:3}<end_function_call>',
    calls(['read_file', { path: 'a.txt', start_line: 3 }]),
  ],
  [
    '<|tool_call>',
    'Gemma 4',
    `<|tool_call>call:write_file{content:${QUOTE}hi${QUOTE},path:${QUOTE}a.txt${QUOTE}}<tool_call|>`,
    calls(WRITE),
  ],
  [
    '<|tool_call>, braces and commas in the content',
    'Gemma 4',
    `<|tool_call>call:write_file{content:${QUOTE}f({a: 1}, "b")\n${QUOTE},path:${QUOTE}a.js${QUOTE}}<tool_call|>`,
    calls(['write_file', { path: 'a.js', content: 'f({a: 1}, "b")\n' }]),
  ],
  [
    '<|tool_call>, two calls',
    'Gemma 4',
    `<|tool_call>call:read_file{path:${QUOTE}a.txt${QUOTE}}<tool_call|><|tool_call>call:mark_subtask_complete{success:true}<tool_call|>`,
    calls(READ, ['mark_subtask_complete', { success: true }]),
  ],
  [
    'action_start and plugin',
    'InternLM 2.5',
    `<|action_start|><|plugin|>\n{"name": "write_file", "parameters": ${ARGS}}<|action_end|>`,
    calls(WRITE),
  ],
  [
    'the commentary channel',
    'gpt-oss 20B',
    `<|channel|>commentary to=functions.write_file <|constrain|>json<|message|>${ARGS}<|call|>`,
    calls(WRITE),
  ],
  [
    'the commentary channel after thinking',
    'gpt-oss 20B',
    `<|channel|>analysis<|message|>I read it.<|end|><|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>${READ_ARGS}<|call|>`,
    calls(READ),
  ],
  [
    'Action and Action Input',
    'Llama 2 ReAct',
    `Thought: I need the file.\nAction: read_file\nAction Input: ${READ_ARGS}`,
    calls(READ),
  ],
  [
    'Action and Action Input, with an invented result',
    'Llama 2 ReAct',
    `Action: read_file\nAction Input: ${READ_ARGS}\nObservation: the file says hi\nAction: run_cmd\nAction Input: {"cmd": "rm a.txt"}`,
    calls(READ),
  ],
  [
    'an invented result and what follows from it',
    'Qwen2.5 1.5B',
    `<tool_call>\n${READ_CALL}\n</tool_call>\n<tool_response>\nhi\n</tool_response>\n<tool_call>\n{"name": "run_cmd", "arguments": {"cmd": "rm a.txt"}}\n</tool_call>`,
    calls(READ),
  ],
]);
