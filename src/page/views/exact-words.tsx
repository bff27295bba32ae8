/** The words of what would be done, with nothing of them hidden. */
import type { Question } from '../../server/api/run-schemas.ts';
import { DiffView } from './diff.tsx';
import { Printed } from './parts.tsx';

/** Of a change; the rest is shown when asked for. */
const FIRST_LINES = 12;

/** What runs is what is shown: the words of a command each by itself, a change as a diff. */
export function ExactWords({ question, title }: { question: Question; title: string }) {
  const { argv, inputText = '' } = question;
  // Everything in its lines is written out already.
  const isPatch = inputText.startsWith('--- ');
  return (
    <>
      {argv ? (
        <p class="exact argv">
          {argv.map((word, at) => (
            <code key={at}>{visible(word)}</code>
          ))}
        </p>
      ) : (
        <pre class="exact">
          <code>{visible(title)}</code>
        </pre>
      )}
      {isPatch && inputText.includes('\n@@ ') ? (
        <DiffView patch={inputText} label={`Change of ${title}`} first={FIRST_LINES} />
      ) : (
        inputText !== '' && (
          <Printed kind="exact">
            <code>{isPatch ? inputText : visible(inputText)}</code>
          </Printed>
        )
      )}
    </>
  );
}

export const RuleList = ({ rules }: { rules: readonly string[] }) => (
  <>
    {rules.map((rule) => (
      <code key={rule}>{visible(rule)} </code>
    ))}
  </>
);

/** Characters that nobody would see, as their numbers: what hides can change what a command does. */
const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (hidden) =>
    hidden === '\n' || hidden === '\t'
      ? hidden
      : `\\u{${hidden.codePointAt(0)?.toString(16) ?? ''}}`,
  );
