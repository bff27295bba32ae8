// Between tags: Hermes and Qwen, Qwen3-Coder, GLM, and XML as others write it.
import { ARGS, CALL, calls, READ, READ_CALL, samplesOf, shownBack, WRITE } from './sample.ts';

const CODER = `<function=write_file>
<parameter=path>
a.txt
</parameter>
<parameter=content>
hi
</parameter>
</function>`;
const INVOKE =
  '<invoke name="write_file">\n<parameter name="path">a.txt</parameter>\n<parameter name="content">hi</parameter>\n</invoke>';
const DSML = INVOKE.replace(/<(\/?)(invoke|parameter)/g, '<$1｜DSML｜$2').replace(
  /(parameter name="\w+")/g,
  '$1 string="true"',
);

export const taggedSamples = samplesOf([
  ['tool_call', 'Hermes 3', `<tool_call>\n${CALL}\n</tool_call>`, calls(WRITE)],
  ['tool_call, not closed', 'Qwen2.5 3B', `<tool_call>\n${CALL}`, calls(WRITE)],
  [
    'tool_call, closed by another opening',
    'Qwen2.5 0.5B',
    `<tool_call>${CALL}<tool_call>`,
    calls(WRITE),
  ],
  [
    'tool_call, after a sentence',
    'Qwen2.5 7B',
    `I will write the file.\n<tool_call>\n${CALL}\n</tool_call>`,
    calls(WRITE),
  ],
  [
    'two tool_calls',
    'Qwen3 4B',
    `<tool_call>\n${CALL}\n</tool_call>\n<tool_call>\n${READ_CALL}\n</tool_call>`,
    calls(WRITE, READ),
  ],
  [
    'two calls in one tag',
    'Qwen2.5 3B',
    `<tool_call>\n${CALL}\n${READ_CALL}\n</tool_call>`,
    calls(WRITE, READ),
  ],
  [
    'tool_call in an xml fence',
    'Qwen2.5-Coder 7B',
    `\`\`\`xml\n<tool_call>\n${CALL}\n</tool_call>\n\`\`\``,
    calls(WRITE),
  ],
  [
    'tool_call with a fence inside',
    'Qwen2.5-Coder 3B',
    `<tool_call>\n\`\`\`json\n${CALL}\n\`\`\`\n</tool_call>`,
    calls(WRITE),
  ],
  [
    'tool_call with doubled braces',
    'Qwen2.5-Coder 1.5B',
    `<tool_call>\n{{"name": "write_file", "arguments": ${ARGS}}}\n</tool_call>`,
    calls(WRITE),
  ],
  ['tool_call around a list', 'Granite 3.3 8B', `<tool_call>[${CALL}]`, calls(WRITE)],
  ['<|tool_call|>', 'Granite 3.1 2B', `<|tool_call|>[${CALL}]`, calls(WRITE)],
  ['<|tool_call|> closed', 'Phi-4 mini', `<|tool_call|>[${CALL}]<|/tool_call|>`, calls(WRITE)],
  ['tools', 'Qwen2.5 1.5B', `<tools>${CALL}</tools>`, calls(WRITE)],
  ['function_call', 'Nous Hermes 2', `<function_call>${CALL}</function_call>`, calls(WRITE)],
  ['functioncall', 'Glaive', `<functioncall> ${CALL}`, calls(WRITE)],
  ['tool_calls around a list', 'Jamba 1.5', `<tool_calls>[${CALL}]</tool_calls>`, calls(WRITE)],
  ['TOOLCALL', 'Nemotron Nano', `<TOOLCALL>[${CALL}]</TOOLCALL>`, calls(WRITE)],
  [
    'tools_prefix, names as keys',
    'Apertus 8B',
    `<|tools_prefix|>[{"write_file": ${ARGS}}]<|tools_suffix|>`,
    shownBack('write_file', 'could not be read'),
  ],
  [
    'a tag with the name before its arguments',
    'Llama 3.1 8B',
    `<function=write_file>${ARGS}</function>`,
    shownBack('write_file', 'could not be read'),
  ],
  [
    'the same, not closed',
    'Llama 3.2 3B',
    `<function=write_file>${ARGS}`,
    shownBack('write_file', 'could not be read'),
  ],
  [
    'function and parameter',
    'Qwen3-Coder 30B',
    `<tool_call>\n${CODER}\n</tool_call>`,
    calls(WRITE),
  ],
  [
    'function and parameter, no tag around',
    'Qwen3-Coder 30B',
    `I write it.\n\n${CODER}\n</tool_call>`,
    calls(WRITE),
  ],
  [
    'function and parameter, parameters not closed',
    'Qwen3-Coder 30B',
    '<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</function>\n</tool_call>',
    shownBack('read_file'),
  ],
  [
    'function and parameter, values of other types',
    'Qwen3-Coder 30B',
    '<function=run_cmd>\n<parameter=cmd>\npython a.py\n</parameter>\n<parameter=timeout_sec>\n30\n</parameter>\n</function>',
    calls(['run_cmd', { cmd: 'python a.py', timeout_sec: 30 }]),
  ],
  [
    'function and parameter, many lines and a tag in the content',
    'Qwen3-Coder 30B',
    '<function=write_file>\n<parameter=path>\na.html\n</parameter>\n<parameter=content>\n<ul>\n  <li>{{ x }}</li>\n</ul>\n</parameter>\n</function>',
    calls(['write_file', { path: 'a.html', content: '<ul>\n  <li>{{ x }}</li>\n</ul>' }]),
  ],
  [
    'function and parameter, neither closed, as reported of Ollama 0.32',
    'Qwen3-Coder 30B',
    '<function=write_file>\n<parameter=path> a.txt\n<parameter=content> hi',
    shownBack('write_file', 'could not be read'),
  ],
  [
    'seed tags around it',
    'Seed-OSS 36B',
    `<seed:tool_call>\n${CODER}\n</seed:tool_call>`,
    calls(WRITE),
  ],
  [
    'invoke',
    'MiniMax M2',
    `<minimax:tool_call>\n${INVOKE}\n</minimax:tool_call>`,
    shownBack('write_file', 'could not be read'),
  ],
  [
    'invoke in function_calls',
    'Claude distillations',
    `<function_calls>\n${INVOKE}\n</function_calls>`,
    shownBack('write_file', 'could not be read'),
  ],
  [
    'invoke with marks',
    'DeepSeek V3.2',
    `<｜DSML｜function_calls>\n${DSML}\n</｜DSML｜function_calls>`,
    shownBack('write_file', 'could not be read'),
  ],
  [
    'no arguments at all',
    'Qwen3-Coder 30B',
    '<tool_call>\n<function=list_dir>\n</function>\n</tool_call>',
    calls(['list_dir', {}]),
  ],
]);
