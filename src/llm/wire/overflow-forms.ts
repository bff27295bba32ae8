// Pure: the many ways to say that a prompt is too long, one pattern for each server.

const FORMS: readonly RegExp[] = [
  // Anthropic, and gateways to it.
  /prompt is too long/i,
  /exceed context limit/i,
  // OpenAI, OpenRouter, vLLM, DeepSeek, Mistral.
  /maximum context length/i,
  /exceeds? (the|your) context (length|limit|size|window)/i,
  /context length is only/i,
  /model's context length/i,
  // llama.cpp, and Ollama around it.
  /exceeds? the available context size/i,
  /^the prompt is longer than the context length/i,
  /exceeded max context length/i,
  // LM Studio.
  /tokens to keep from the initial prompt is greater than the context length/i,
  /context size has been exceeded/i,
  // Google, xAI, Groq, Copilot, Moonshot, Perplexity.
  /input token count.*exceeds the maximum/i,
  /maximum prompt length is/i,
  /reduce the length of the messages/i,
  /too large for model with/i,
  /exceeded model token limit/i,
  /total length of all messages is too long/i,
];

const NAMES = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'model_context_window_exceeded',
]);

const RATE_LIMIT = /rate.?limit|tokens per (min|day)|too many requests|\b[TR]P[MD]\b/i;

/** Codes that come with an overflow; 200 is an error inside an answer. */
const CODES = new Set([200, 400, 413, 422, 500]);

export function saysOverflow(status: number, text: string, names: readonly string[]): boolean {
  if (!CODES.has(status)) return false;
  if (names.some((name) => NAMES.has(name))) return true;
  return !RATE_LIMIT.test(text) && FORMS.some((form) => form.test(text));
}
