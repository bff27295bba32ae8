// What hosted APIs and model servers say when they refuse, word for word, one table for all fakes.

/** A prompt that is too long: who says it, and how. Tests ask each in each dialect. */
export const OVERFLOW_SENTENCES: readonly (readonly [server: string, sentence: string])[] = [
  ['Anthropic', 'prompt is too long: 213462 tokens > 200000 maximum'],
  ['Anthropic', 'input length and `max_tokens` exceed context limit: 189136 + 20000 > 204648'],
  ['OpenAI', 'Your input exceeds the context window of this model'],
  [
    'OpenAI',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens",
  ],
  [
    'OpenRouter',
    "This endpoint's maximum context length is 16384 tokens. However, you requested about 26265 tokens (22265 of text input, 4000 in the output).",
  ],
  [
    'vLLM',
    "You passed 10243 input tokens and requested 6142 output tokens. However, the model's context length is only 16384 tokens",
  ],
  [
    'vLLM',
    "This model's maximum context length is 4096 tokens. However, your request has 5000 input tokens",
  ],
  [
    'llama.cpp',
    'request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it',
  ],
  ['llama.cpp, older', 'the request exceeds the available context size'],
  [
    'LM Studio',
    'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 10978 >= n_ctx: 8192)',
  ],
  ['LM Studio', 'Context size has been exceeded'],
  ['Ollama', 'the input length exceeds the context length'],
  [
    'Ollama',
    'the prompt is longer than the context length currently available to the model; shorten the prompt',
  ],
  [
    'Ollama, around llama.cpp',
    '{"error":{"code":400,"message":"request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9412,"n_ctx":8192}}',
  ],
  ['Google', 'The input token count (40000) exceeds the maximum number of tokens allowed'],
  ['xAI', "This model's maximum prompt length is 131072 but the request contains 150000"],
  ['Groq', 'Please reduce the length of the messages or completion.'],
  ['Copilot', 'The prompt is too large for model with 4096 maximum context'],
  ['Moonshot', 'Your request exceeded model token limit: 8192'],
];

/** Seen from real servers, and not yet told apart from a wrong request. */
export const UNREAD_OVERFLOW_SENTENCES: readonly (readonly [string, string])[] = [
  ['Ollama, hosted', 'prompt too long; exceeded max context length by 1119046 tokens (ref: 0)'],
  ['Perplexity', 'The total length of all messages is too long.'],
];

export const SENTENCES = {
  anthropic: {
    'expired key': 'API key has expired.',
    'rate limited': 'This request would exceed your rate limit.',
    overloaded: 'Overloaded',
    'thoughts left out':
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
  },
  openai: {
    'expired key': 'Incorrect API key provided.',
    'rate limited': 'Rate limit reached for requests',
    'server error': 'The server had an error.',
    'calls without results':
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
  },
} as const;
