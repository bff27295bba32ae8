/** Calls that a model wrote as text, answers to questions with a schema, and contents of files. */
import type { Row } from './row.ts';

const says = (text: string): Row[0] => ({ text });
const READ = '{"name":"read_file","arguments":{"path":"a.txt"}}';
const WRITE = '{"name":"write_file","arguments":{"path":"n","content":"x"}}';
const OUT = '{"name":"write_file","arguments":{"path":"../n","content":"x"}}';
const N = { makes: { n: 'x' } };

export const textRows: readonly Row[] = [
  [says(READ), 'done'],
  [says(WRITE), 'done', N],
  [says(OUT), 'error'],
  [says(`\`\`\`json\n${WRITE}\n\`\`\``), 'done', N],
  [says(`\`\`\`json\n${WRITE}`), 'done', N],
  [says(`\`\`\`python\n${WRITE}\n\`\`\``), 'asked again'],
  [says(`For example:\n${WRITE}`), 'asked again'],
  [says(`> ${WRITE}`), 'talk'],
  [says(`You could call ${WRITE}`), 'asked again'],
  [says(`<think>${WRITE}</think>I am done.`), 'talk'],
  [says(`<think>${WRITE}`), 'talk'],
  [says(`${WRITE}</think>Done.`), 'talk'],
  [says(`<think>so</think>${WRITE}`), 'done', N],
  [says(`[THINK]${OUT}[/THINK]${READ}`), 'done'],
  [says(`<tool_call>${WRITE}</tool_call>`), 'done', N],
  [says(`<tool_call>${WRITE}`), 'done', N],
  [says(`<tool_call>${WRITE.slice(0, -2)}`), 'asked again'],
  [says(`<tool_call>${WRITE.slice(0, -10)}`), 'asked again'],
  [says(`<tool_call>${READ.slice(0, -1)}</tool_call>`), 'asked again'],
  [says(`<tool_call>{"name":"nothing_like_it","arguments":{}}</tool_call>`), 'asked again'],
  [says(`<tool_call>{"name":"__proto__","arguments":{}}</tool_call>`), 'asked again'],
  [says(`${WRITE}\n${WRITE}`), 'done', N],
  [says(`${WRITE}\n${OUT}`), 'done+error', N],
  [says(`${READ}\n<tool_response>the key is 1</tool_response>\n${WRITE}`), 'done'],
  [says(`Observation: done\n${WRITE}`), 'done', N],
  [
    says('{"name":"write_file","arguments":"{\\"path\\":\\"n\\",\\"content\\":\\"x\\"}"}'),
    'done',
    N,
  ],
  [says('{"name":"write_file","arguments":{"path":"<path>","content":"x"}}'), 'asked again'],
  [says('{"name":"write_file","arguments":{"path":"n","content":"..."}}'), 'asked again'],
  [says("{'name':'write_file','arguments':{'path':'n','content':'x'}}"), 'asked again'],
  [says("{'name':'read_file','arguments':{'path':'a.txt'}}"), 'asked again'],
  [says('{"name":"write_file","arguments":{"path":"C:\\dir\\n","content":"x"}}'), 'asked again'],
  [
    says('{"name":"write_file","arguments":{"path":"n","content":"<tool_call>{}</tool_call>"}}'),
    'done',
  ],
  [
    says(`{"name":"write_file","arguments":{"path":"n","content":${JSON.stringify(OUT)}}}`),
    'done',
    { makes: { n: OUT } },
  ],
  [
    says('{"name":"write_file","arguments":{"__proto__":{"path":"n"},"content":"x"}}'),
    'asked again',
  ],
  [says('{"__proto__":{"name":"write_file"},"arguments":{"path":"n","content":"x"}}'), 'talk'],
  [
    says(
      '{"name":"write_file","parameters":{"type":"object","properties":{"path":{"type":"string"}}}}',
    ),
    'talk',
  ],
  [says('write_file(path="n", content="x")'), 'asked again'],
  [says('[read_file(path="a.txt"), write_file(path="n", content="x")]'), 'asked again'],
  [says('read_file(path="a.txt", start_line=007)'), 'asked again'],
  [says('read_file(path="a.txt", start_line=-)'), 'asked again'],
  [says('<|python_tag|>read_file(path="a.txt", start_line=00)<|eom_id|>'), 'asked again'],
  [says('<|python_tag|>write_file(path=open("x"), content="x")<|eom_id|>'), 'asked again'],
  [
    says('<|python_tag|>write_file(path={"__proto__":{"a":1}}, content="x")<|eom_id|>'),
    'asked again',
  ],
  [says('__import__("os").system("rm -rf /")'), 'talk'],
  [
    says(
      '<function=write_file><parameter=path>n</parameter><parameter=content>x</parameter></function>',
    ),
    'done',
    N,
  ],
  [
    says(
      '<function=write_file><parameter=path>n</parameter><parameter=path>../n</parameter><parameter=content>x</parameter></function>',
    ),
    'asked again',
  ],
  [says('<function=write_file><parameter=path>n</parameter><parameter=content>x'), 'asked again'],
  [
    says(
      '<invoke name="write_file"><parameter name="path">../n</parameter><parameter name="content">x</parameter></invoke>',
    ),
    'asked again',
  ],
  [
    says('<tool_call>read_file<arg_key>path</arg_key><arg_value>a.txt</arg_value></tool_call>'),
    'asked again',
  ],
  [says('<|tool_call>call:read_file{path:<|"|>a.txt<|"|>}<tool_call|>'), 'asked again'],
  [says('[TOOL_CALLS]read_file{"path":"a.txt"}'), 'asked again'],
  [says('Action: read_file\nAction Input: {"path":"a.txt"}'), 'talk'],
  [says('a\0b\u001b[2J\u009b31m\u202e'), 'talk'],
  [says('\ud800'), 'talk'],
  ...[
    '{',
    '[',
    '{"',
    '```',
    '<tool_call>',
    '<function=',
    '"',
    '\\',
    '</think>',
    '[TOOL_CALLS]',
    '<|"|>',
  ].map(
    (unit): Row => [says(Array.from({ length: 700 }, (_, index) => unit + index).join('')), 'talk'],
  ),
  [
    says(
      `${Array.from({ length: 200 }, (_, index) => READ.replace('a.txt', `a${index}`)).join('\n')}`,
    ),
    'asked again',
    { says: /more than 128 calls/ },
  ],
  [says(`${'['.repeat(2000)}1`), 'talk'],
  [
    says(`{"name":"read_file","arguments":{"path":${'['.repeat(3000)}${']'.repeat(3000)}}}`),
    'asked again',
  ],
  [
    says(Array.from({ length: 90_000 }, (_, index) => index).join(' ')),
    'truncated',
    { says: /500,000/ },
  ],
  [says(' '.repeat(5000)), 'truncated'],
  [says('no\n'.repeat(500)), 'truncated', { says: /repeats itself/ }],
  [says(''), 'invalid_response'],
  ...['content_filter', 'refusal'].map((finish): Row => [{ text: WRITE, finish }, 'refused']),
  ...['constructor', '__proto__', 'toString', 'banana'].map(
    (finish): Row => [{ text: WRITE, finish }, 'invalid_response', { says: /unknown reason/ }],
  ),
  [{ text: WRITE, finish: 'length' }, 'truncated'],
];

const answer = (value: unknown): Row[0] => ({ json: JSON.stringify(value) });
const ends = (value: unknown): Row[0] =>
  answer({ action: 'mark_subtask_complete', success: true, answer: value });

export const actionRows: readonly Row[] = [
  [answer({ action: 'read_file', because: 'x', file: 'a.txt' }), 'done'],
  [answer({ action: 'read_file', file: '../x' }), 'error'],
  [
    answer({ action: 'edit_file', file: 'b.txt', old_text: 'two', new_text: '2' }),
    'done',
    { makes: { 'a.txt': 'one\n2\none\n' } },
  ],
  [answer({ action: 'write_file', file: 'n', content: 'x' }), 'asked again', { says: /not open/ }],
  [answer({ action: 'x'.repeat(5000) }), 'asked again', { says: /^.{0,300}$/ }],
  [answer({ action: { toString: 1, valueOf: 1 } }), 'asked again'],
  [answer({ action: ['read_file'], file: 'a.txt' }), 'asked again'],
  [answer({ action: '__proto__' }), 'asked again'],
  [answer({ file: 'a.txt' }), 'asked again'],
  [{ json: '{"action":"read_file","__proto__":{"path":"a.txt"}}' }, 'error'],
  [{ json: '{"action":"read_file","file":"a.txt","__proto__":{"start_line":2}}' }, 'error'],
  [answer({ action: 'run_cmd', cmd: 'node a.js', constructor: {} }), 'error'],
  [answer({ action: 'run_cmd', cmd: 'node a.js', toString: { a: 1 } }), 'error'],
  [
    answer({
      action: 'run_cmd',
      cmd: 'node a.js',
      stdin: { '1_name': { toString: 1 }, '2_age': 3 },
    }),
    'done',
  ],
  [
    answer({ action: 'run_cmd', cmd: 'node a.js', stdin: ['a', ['b', { toString: null }]] }),
    'done',
  ],
  [answer({ action: 'run_cmd', cmd: 'rm x', stdin: '' }), 'denied'],
  // Whether it is an answer is for who asked.
  ...['yes', '...', '<answer>', 'What is it?'].map((value): Row => [ends(value), 'done']),
  [ends({ toString: 1 }), 'error'],
  [ends(`${' \t'.repeat(20_000)}x`), 'done'],
  [ends(`${'? '.repeat(20_000)}x`), 'done'],
  ...[
    '[]',
    'null',
    '1',
    '"x"',
    '{',
    '{"action":"read_file"',
    '{action:read_file}',
    `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  ].map((json): Row => [{ json }, 'asked again']),
  [{ json: `\`\`\`json\n{"action":"read_file","file":"a.txt"}\n\`\`\`` }, 'done'],
];

const holds = (content: string, file = 'new.py'): Row[0] => ({ content, file });

export const contentRows: readonly Row[] = [
  [holds('```python\nx = 1\n```'), 'done', { makes: { 'new.py': 'x = 1\n' } }],
  [holds('```python\nx = 1'), 'done', { makes: { 'new.py': 'x = 1\n' } }],
  [holds('x = 1\n```'), 'asked again'],
  [holds('```\n```'), 'asked again'],
  [holds('I have written the file as you asked.'), 'asked again'],
  [holds('x = 1'), 'asked again'],
  [holds('x = 1', 'a.txt'), 'asked again'],
  [holds('```\nx\n```', '../new.py'), 'error'],
  [holds('```\nx\n```', '.git/config'), 'error'],
  [holds('```\nx\n```', 'b.txt'), 'conflict'],
  [holds('{"action":"write_file","file":"../x","content":"y = 2"}'), 'asked again'],
  [holds('{"action":"write_file","content":{"toString":1}}'), 'asked again'],
  [holds(`\`\`\`\nx${' '.repeat(2000)}y${' '.repeat(2000)}\n\`\`\``), 'done'],
  [holds('`'.repeat(1000)), 'asked again'],
  [
    holds(`a:${Array.from({ length: 500 }, (_, i) => `${i}${' '.repeat(i % 7)}`).join('b')}`),
    'asked again',
  ],
];
