// What is thought, quoted, explained or made as an example is not carried out.
import { ARGS, CALL, calls, READ, READ_CALL, samplesOf, shownBack, TEXT, WRITE } from './sample.ts';

const SCHEMA =
  '{"name": "write_file", "description": "Create a file.", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}';
const unclear = shownBack('write_file', 'only shown');

export const shownSamples = samplesOf([
  ['thought of, then an answer', 'Qwen3 8B', `<think>${CALL}</think>Let me ask first.`, TEXT],
  ['thought of, without an end', 'Qwen3 1.7B', `<think>maybe ${CALL}`, TEXT],
  [
    'thought of, its beginning in the template',
    'DeepSeek R1',
    `I could do ${CALL}\n</think>\nWhat shall I write?`,
    TEXT,
  ],
  [
    'thought of one, called another',
    'Qwen3 8B',
    `<think>${CALL}</think>\n${READ_CALL}`,
    calls(READ),
  ],
  [
    'thought with a stray brace, then called',
    'QwQ 32B',
    `<think>Use { and [ here.</think>\n${CALL}`,
    calls(WRITE),
  ],
  [
    'thought in a tag of another name',
    'Granite 3.3 8B',
    `<reasoning>${CALL}</reasoning>Done thinking.`,
    TEXT,
  ],
  ['thought twice', 'Qwen3 4B', `<think>a</think>\n<think>${CALL}</think>\nWell.`, TEXT],
  ['thought after a call', 'Qwen3 4B', `${READ_CALL}\n<think>and then ${CALL}`, calls(READ)],
  [
    'thought in the analysis channel',
    'gpt-oss 20B',
    `<|channel|>analysis<|message|>I might call ${CALL}<|end|><|start|>assistant<|channel|>final<|message|>What shall I write?`,
    TEXT,
  ],
  ['Mistral thinking', 'Magistral', `[THINK]I could ${CALL}[/THINK]What shall I write?`, TEXT],
  [
    'in a Python fence',
    'Llama 3.1 8B',
    `In Python you could write:\n\`\`\`python\ncall = ${CALL}\n\`\`\``,
    TEXT,
  ],
  [
    'in a shell command',
    'Llama 3.1 8B',
    `\`\`\`bash\ncurl -d '${CALL}' http://127.0.0.1/\n\`\`\``,
    TEXT,
  ],
  [
    'introduced as an example',
    'Gemma 2 9B',
    `For example:\n\`\`\`json\n${CALL}\n\`\`\`\nThe name says which tool is called.`,
    unclear,
  ],
  [
    'introduced as an example, in German',
    'Gemma 2 9B',
    `So sieht ein Aufruf aus:\n\`\`\`json\n${CALL}\n\`\`\``,
    unclear,
  ],
  ['introduced as an example, in Chinese', 'Qwen2.5 3B', `调用的格式如下：\n${CALL}`, unclear],
  [
    'introduced as an example, in a tag',
    'Hermes 3',
    `A call looks so, for instance:\n<tool_call>\n${CALL}\n</tool_call>`,
    unclear,
  ],
  [
    'explained behind it, in German',
    'Gemma 2 9B',
    `${CALL}\nErsetze a.txt durch den Namen deiner Datei.`,
    unclear,
  ],
  [
    'introduced, of a tool that only looks',
    'Gemma 2 9B',
    `I look first:\n${READ_CALL}\nThen I go on.`,
    calls(READ),
  ],
  ['in the midst of a sentence', 'Llama 3.2 3B', `The text ${CALL} would write a file.`, TEXT],
  ['between backticks', 'Llama 3.2 3B', `Send \`${CALL}\` to write a file.`, TEXT],
  ['quoted', 'Mistral 7B', `You said:\n> ${CALL}\nWhat do you mean?`, TEXT],
  ['the documentation of a tool', 'Qwen2.5 3B', `\`\`\`json\n${SCHEMA}\n\`\`\``, TEXT],
  [
    'the documentation of all tools',
    'Qwen2.5 3B',
    `<tools>\n${SCHEMA}\n{"type": "function", "function": ${SCHEMA}}\n</tools>`,
    TEXT,
  ],
  [
    'names of tools with descriptions',
    'Llama 3.2 1B',
    '[{"name": "list_dir", "description": "List a folder."}]',
    TEXT,
  ],
  [
    'what one could do',
    'Phi-3 mini',
    `You could call the tool like this:\n\`\`\`json\n${CALL}\n\`\`\``,
    unclear,
  ],
  ['the format of a call', 'Gemma 2 9B', `The format of a call is:\n${CALL}`, unclear],
  [
    'what shall be replaced in it',
    'Gemma 2 9B',
    `${CALL}\nReplace a.txt with the name of your file.`,
    unclear,
  ],
  ['what must not be done', 'Llama 3.1 8B', `Do not run this:\n${CALL}`, unclear],
  [
    'placeholders in it',
    'Qwen2.5-Coder 1.5B',
    '{"name": "write_file", "arguments": {"path": "<path>", "content": "<content>"}}',
    shownBack('write_file', '<path>'),
  ],
  ['a JSON fence marked as Python', 'Qwen2.5-Coder 1.5B', `\`\`\`python\n${CALL}\n\`\`\``, unclear],
  [
    'Python that calls the tool',
    'Qwen2.5-Coder 1.5B',
    '```python\nwrite_file(path="a.txt", content="hi")\n```',
    shownBack('write_file', 'could not be read'),
  ],
  [
    'words on both sides on its line, one of them',
    'Llama 3.2 1B',
    `${CALL} and then I am done`,
    unclear,
  ],
  ['a settings file', 'any', '```json\n{"scripts": {"test": "vitest"}}\n```', TEXT],
  [
    'a package with a name',
    'any',
    '```json\n{"name": "read_files", "version": "1.0.0", "main": "index.js"}\n```',
    TEXT,
  ],
  [
    'a service with parameters',
    'any',
    '```json\n{"name": "get_user", "parameters": [{"in": "query"}]}\n```',
    TEXT,
  ],
  ['prose with brackets', 'any', 'Use list_dir to see [the files] in {this} folder.', TEXT],
  [
    'the sentence of the prompt',
    'Qwen2.5 0.5B',
    'For each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags.',
    TEXT,
  ],
  [
    'inside the content of a call, a call',
    'Qwen2.5-Coder 7B',
    JSON.stringify({
      name: 'write_file',
      arguments: { path: 'a.md', content: `<tool_call>${READ_CALL}</tool_call>` },
    }),
    calls(['write_file', { path: 'a.md', content: `<tool_call>${READ_CALL}</tool_call>` }]),
  ],
  [
    'inside the content of a call, tags of another form',
    'Qwen3-Coder 30B',
    `<function=write_file>\n<parameter=path>\na.md\n</parameter>\n<parameter=content>\n${READ_CALL}\n</parameter>\n</function>`,
    calls(['write_file', { path: 'a.md', content: READ_CALL }]),
  ],
  ['an empty answer', 'any', '', TEXT],
  ['an answer in words', 'any', `I cannot do that. ${'It would need a network. '.repeat(3)}`, TEXT],
  ['arguments alone', 'Qwen2.5-Coder 0.5B', ARGS, TEXT],
]);
