// What a server is asked while its wire is recorded: harmless, short, and the same each time.

export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string goes out as it is. */
  readonly body?: unknown;
}

const MODEL = 'qwen2.5-coder-0.5b';
const HELLO = [
  { role: 'system', content: 'You work on files.' },
  { role: 'user', content: 'Say hello in one short sentence.' },
];
const COUNT = [{ role: 'user', content: 'Count from one to twenty.' }];
const WRITE = [{ role: 'user', content: 'Write the word hello into the file a.txt.' }];
const ANSWER = {
  type: 'object',
  properties: { colour: { type: 'string', enum: ['red', 'green'] }, is_warm: { type: 'boolean' } },
  required: ['colour', 'is_warm'],
  additionalProperties: false,
};
const COLOUR = [{ role: 'user', content: 'Name a colour and say whether it is warm, as JSON.' }];
const FIELDS = {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' } },
  required: ['path', 'content'],
};
/** More tokens than the smallest context has. */
const LONG = [{ role: 'user', content: 'one two three four five '.repeat(120) }];
/** Nearly as many. */
const NEARLY = [
  {
    role: 'user',
    content: `${'one two three four five '.repeat(42)}\nGo on, and count to ninety.`,
  },
];

const get = (path: string, headers?: Record<string, string>): Ask => ({
  method: 'GET',
  path,
  ...(headers ? { headers } : {}),
});

const chat = (body: Record<string, unknown>): Ask => ({
  method: 'POST',
  path: '/v1/chat/completions',
  body: {
    model: MODEL,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 64,
    temperature: 0,
    seed: 7,
    ...body,
  },
});

const message = (body: Record<string, unknown>, headers?: Record<string, string>): Ask => ({
  method: 'POST',
  path: '/v1/messages',
  ...(headers ? { headers } : {}),
  body: { model: MODEL, max_tokens: 64, stream: true, temperature: 0, ...body },
});

const openAiTool = {
  type: 'function',
  function: {
    name: 'write_file',
    description: 'Create or overwrite a file',
    parameters: FIELDS,
  },
};
const anthropicTool = {
  name: 'write_file',
  description: 'Create or overwrite a file',
  input_schema: FIELDS,
};
const withSchema = (schema: unknown) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
});

const answering = {
  models: get('/v1/models'),
  one_model: get(`/v1/models/${MODEL}`),
  props: get('/props'),
  unknown_path: get('/v1/no-such-path'),
  unknown_path_post: { method: 'POST', path: '/v1/no-such-path', body: {} },
  chat_said: chat({ messages: HELLO }),
  chat_said_again: chat({ messages: HELLO }),
  chat_whole: chat({ messages: HELLO, stream: false, stream_options: undefined }),
  chat_without_usage: chat({ messages: HELLO, stream_options: undefined }),
  chat_logprobs: chat({ messages: HELLO, logprobs: true, top_logprobs: 1 }),
  chat_call_as_text: chat({ messages: WRITE, tools: [openAiTool], tool_choice: 'required' }),
  chat_tools_untouched: chat({ messages: HELLO, tools: [openAiTool] }),
  chat_after_result: chat({
    tools: [openAiTool],
    messages: [
      ...WRITE,
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'write_file', arguments: '{"path":"a.txt","content":"hello"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', name: 'write_file', content: 'Written: a.txt' },
    ],
  }),
  chat_schema: chat({ messages: COLOUR, ...withSchema(ANSWER) }),
  chat_length: chat({ messages: HELLO, max_tokens: 1 }),
  chat_stop_word: chat({ messages: HELLO, stop: ['!', '.', 'o'] }),
  refused_no_messages: chat({ messages: undefined }),
  refused_messages_of_wrong_type: chat({ messages: 'hello' }),
  refused_content_of_wrong_type: chat({ messages: [{ role: 'user', content: 7 }] }),
  refused_no_role: chat({ messages: [{ content: 'hello' }] }),
  refused_limit_of_wrong_type: chat({ messages: HELLO, max_tokens: 'many' }),
  refused_tools_of_wrong_type: chat({ messages: HELLO, tools: {} }),
  refused_tool_choice: chat({ messages: HELLO, tools: [openAiTool], tool_choice: 'perhaps' }),
  refused_arguments_that_are_no_json: chat({
    messages: [
      ...WRITE,
      {
        role: 'assistant',
        content: '',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'write_file', arguments: '{"path' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Written: a.txt' },
    ],
  }),
  refused_schema_type: chat({ messages: COLOUR, ...withSchema({ type: 'colour' }) }),
  refused_schema_ref: chat({ messages: COLOUR, ...withSchema({ $ref: '#/$defs/none' }) }),
  refused_response_format: chat({ messages: COLOUR, response_format: { type: 'poem' } }),
  refused_schema_and_tools: chat({ messages: COLOUR, tools: [openAiTool], ...withSchema(ANSWER) }),
  refused_no_json: { method: 'POST', path: '/v1/chat/completions', body: '{"model": ' },
  refused_no_body: { method: 'POST', path: '/v1/chat/completions', body: '' },
  message_said: message({ messages: HELLO.slice(1), system: 'You work on files.' }),
  message_said_again: message({ messages: HELLO.slice(1), system: 'You work on files.' }),
  message_whole: message({ messages: HELLO.slice(1), stream: false }),
  message_after_result: message({
    tools: [anthropicTool],
    messages: [
      ...WRITE,
      {
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: 'toolu_1',
            name: 'write_file',
            input: { path: 'a.txt', content: 'hello' },
          },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Written: a.txt' }],
      },
    ],
  }),
  message_limit: message({ messages: HELLO.slice(1), max_tokens: 1 }),
  message_stop_sequence: message({ messages: HELLO.slice(1), stop_sequences: ['!', '.', 'o'] }),
  message_schema: message({
    messages: COLOUR,
    output_config: { format: { type: 'json_schema', schema: ANSWER } },
  }),
  message_refused_no_messages: message({ messages: undefined }),
  message_refused_messages_of_wrong_type: message({ messages: 'hello' }),
  message_refused_content_of_wrong_type: message({ messages: [{ role: 'user', content: 7 }] }),
  message_refused_no_limit: message({ messages: HELLO.slice(1), max_tokens: undefined }),
  message_refused_tools_of_wrong_type: message({ messages: HELLO.slice(1), tools: {} }),
  message_refused_no_json: { method: 'POST', path: '/v1/messages', body: '{"model": ' },
} satisfies Record<string, Ask>;

/** Nothing is left to the model's choice: what is written, and where. */
const FIXED = {
  ...FIELDS,
  properties: {
    path: { type: 'string', enum: ['a.txt'] },
    content: { type: 'string', enum: ['Hä "x"'] },
  },
};
const ONLY_A_CALL = 'You answer with a ```json block and nothing else.';
const called = {
  messages: [{ role: 'system', content: ONLY_A_CALL }, ...WRITE],
  tools: [{ ...openAiTool, function: { ...openAiTool.function, parameters: FIXED } }],
  tool_choice: 'required',
};
const calledMessage = {
  system: ONLY_A_CALL,
  messages: WRITE,
  tools: [{ ...anthropicTool, input_schema: FIXED }],
  tool_choice: { type: 'any' },
};

/** A model this small calls nothing in its own form: the server has a template with a simpler one. */
const calling = {
  chat_call: chat(called),
  chat_call_whole: chat({ ...called, stream: false, stream_options: undefined }),
  chat_call_cut_by_length: chat({ ...called, max_tokens: 12 }),
  message_call: message(calledMessage),
  message_call_whole: message({ ...calledMessage, stream: false }),
  message_call_cut_by_limit: message({ ...calledMessage, max_tokens: 12 }),
} satisfies Record<string, Ask>;

/** The server has a context of 256 tokens. */
const narrow = {
  chat_overflow: chat({ messages: LONG }),
  chat_overflow_whole: chat({ messages: LONG, stream: false, stream_options: undefined }),
  chat_window_filled: chat({ messages: NEARLY, max_tokens: 500 }),
  message_overflow: message({ messages: LONG }),
  message_window_filled: message({ messages: NEARLY, max_tokens: 500 }),
  narrow_props: get('/props'),
} satisfies Record<string, Ask>;

/** The server wants the key `a-key`. */
const locked = {
  locked_without_key: chat({ messages: HELLO }),
  locked_wrong_key: {
    ...chat({ messages: HELLO }),
    headers: { authorization: 'Bearer sk-wrong-0123456789' },
  },
  locked_models: get('/v1/models'),
  locked_message: message({ messages: HELLO.slice(1) }, { 'x-api-key': 'sk-wrong-0123456789' }),
  locked_props: get('/props'),
} satisfies Record<string, Ask>;

/** The server was started this moment. */
const loading = {
  loading_chat: chat({ messages: HELLO }),
  loading_message: message({ messages: HELLO.slice(1) }),
  loading_models: get('/v1/models'),
  loading_health: get('/health'),
} satisfies Record<string, Ask>;

export const GROUPS = {
  answering,
  calling,
  narrow,
  locked,
  loading,
  /** The server is killed while it answers. */
  killed_chat: { chat_killed: chat({ messages: COUNT }) },
  killed_message: { message_killed: message({ messages: COUNT }) },
} as const;

export type Group = keyof typeof GROUPS;

export const isGroup = (name: string): name is Group => Object.hasOwn(GROUPS, name);
