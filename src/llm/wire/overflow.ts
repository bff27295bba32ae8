// Pure: the status of a prompt that is too long, with the window if the server's sentence states it.
import type { TurnStatus } from '../../schema/model/turn.ts';

const NAMED: readonly RegExp[] = [
  // llama.cpp, and Ollama around it; LM Studio.
  /available context size \(([\d,]+) tokens\)/i,
  /\bn_ctx"?\s*[:=]\s*([\d,]+)/i,
  // OpenAI, OpenRouter, vLLM.
  /context length is (?:only )?([\d,]+)/i,
  // Anthropic, and gateways to it.
  /> ([\d,]+) maximum/i,
  /exceed context limit: [\d,]+ \+ [\d,]+ > ([\d,]+)/i,
  // Google, xAI, Moonshot, Copilot.
  /maximum number of tokens allowed \(?([\d,]+)/i,
  /maximum prompt length is ([\d,]+)/i,
  /model token limit: ([\d,]+)/i,
  /too large for model with ([\d,]+)/i,
  // The embedded engine.
  /, the context window ([\d,]+)$/,
];

export function overflowStatus(text: string): TurnStatus {
  for (const form of NAMED) {
    const windowTokens = Number(form.exec(text)?.[1]?.replaceAll(',', ''));
    if (windowTokens > 0 && Number.isSafeInteger(windowTokens))
      return { kind: 'context_overflow', windowTokens };
  }
  return { kind: 'context_overflow' };
}
