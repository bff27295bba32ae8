// Pure: how to repeat a request without the optional part that a refusal names.
import type { ApiFailure } from './errors.ts';
import type { Shape } from './request-body.ts';

/** Null if the request would be refused again. Each part is left out at most once. */
export function withoutRefused(
  shape: Shape,
  failure: ApiFailure | null,
  hasAnswerSchema: boolean,
): Shape | null {
  if (failure?.status !== 400) return null;
  const { text } = failure;
  if (
    shape.withSigned &&
    /signature.*thinking|thinking.*(signature|cannot be modified)/i.test(text)
  ) {
    return { ...shape, withSigned: false };
  }
  if (shape.mayMentionEffort && /effort/i.test(text)) {
    return { ...shape, mayMentionEffort: false };
  }
  if (
    hasAnswerSchema &&
    shape.answerBy === 'schema' &&
    /output_config|schema|grammar/i.test(text)
  ) {
    return { ...shape, answerBy: 'tool' };
  }
  if (shape.mayMentionThinking && /thinking/i.test(text)) {
    return { ...shape, mayMentionThinking: false };
  }
  return null;
}
