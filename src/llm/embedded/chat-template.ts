/** Turns messages into tokens by the model's own chat template. Pure except for the tokenizer that it is given. */
import type { JinjaModule, TokenId, Tokenizer } from './engine-api.ts';
import type { ChatMessage } from './protocol.ts';

/** Used if a model file contains no template: the most common form. */
const CHATML =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

/** Stands for a message while the template is rendered, so that its text is never read as markup. */
const placeholder = (index: number): string => `[[${String.fromCharCode(0xe000)}${index}]]`;
const PLACEHOLDER = /\[\[\ue000(\d+)\]\]/;

export interface ChatTemplate {
  /** Tokens of a whole conversation, ending where the model's answer begins. */
  tokens(messages: readonly ChatMessage[]): TokenId[];
}

/**
 * A template over `tokenizer`. `answerTokens` returns the tokens from which an earlier answer was generated, if known:
 * they may differ from the tokens of its text, and only they are cached. Every message is tokenized by itself, so that
 * a longer conversation starts with the tokens of a shorter one.
 */
export function chatTemplate(
  tokenizer: Tokenizer,
  jinja: JinjaModule,
  source: string | undefined,
  answerTokens: (text: string) => readonly TokenId[] | undefined,
): ChatTemplate {
  const template = new jinja.Template(source ?? CHATML);
  const render = (messages: readonly ChatMessage[]): string =>
    template.render({
      messages: messages.map(({ role }, index) => ({ role, content: placeholder(index) })),
      add_generation_prompt: true,
      bos_token: tokenizer.tokens.bosString ?? '',
      eos_token: tokenizer.tokens.eosString ?? '',
    });

  const renderPossible = (
    messages: readonly ChatMessage[],
  ): { text: string; messages: readonly ChatMessage[] } => {
    const alternating = mergeNeighbours(messages);
    try {
      return { text: render(alternating), messages: alternating };
    } catch (error) {
      // Some templates refuse a system message.
      const withoutSystem = foldSystem(alternating);
      if (withoutSystem === alternating) throw error;
      return { text: render(withoutSystem), messages: withoutSystem };
    }
  };

  return {
    tokens: (messages) => {
      const rendered = renderPossible(messages);
      const tokens = rendered.text.split(PLACEHOLDER).flatMap((part, position) => {
        if (position % 2 === 0) return part === '' ? [] : tokenizer.tokenize(part, true);
        const message = rendered.messages[Number(part)];
        if (message === undefined) return [];
        const known = message.role === 'assistant' ? answerTokens(message.content) : undefined;
        return known ?? tokenizer.tokenize(message.content, false);
      });
      const { bos, shouldPrependBosToken } = tokenizer.tokens;
      return shouldPrependBosToken && bos !== null && tokens[0] !== bos ? [bos, ...tokens] : tokens;
    },
  };
}

/** Merges neighbours of one role into one message: templates may insist on alternating roles. */
export function mergeNeighbours(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const merged: ChatMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role !== message.role) merged.push(message);
    else merged[merged.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` };
  }
  return merged;
}

function foldSystem(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const [first, second, ...rest] = messages;
  if (first?.role !== 'system') return messages;
  if (second?.role !== 'user') return [{ ...first, role: 'user' }, ...messages.slice(1)];
  return [{ role: 'user', content: `${first.content}\n\n${second.content}` }, ...rest];
}
