/** The words of what would be done, with nothing of them hidden. */
import type { Question } from '../../server/api/run-schemas.ts';
import { DiffView } from './diff.tsx';
import { Printed } from './parts.tsx';

/** Of a long change, so that the answers are not far; the rest is shown when asked for. */
const FIRST_LINES = 16;

/** What runs is what is shown: the words of a command each by itself, a change as a diff. */
export function ExactWords({ question, title }: { question: Question; title: string }) {
  const { argv, inputText = '' } = question;
  // Everything in its lines is written out already.
  const isPatch = inputText.startsWith('--- ');
  const isDrawn = isPatch && inputText.includes('\n@@ ');
  return (
    <>
      {/* Of a change that is drawn, the head of the card names the file. */}
      {argv ? (
        <p class="exact argv">
          {argv.map((word, at) => (
            <code key={at}>{visible(word)}</code>
          ))}
        </p>
      ) : (
        (!isDrawn || question.isNoted) && (
          <pre class="exact">
            <code>{visible(title)}</code>
          </pre>
        )
      )}
      {isDrawn ? (
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

/** What a yes for longer would allow, before it is given. */
export const Wider = ({
  rules,
  allows = rules,
  canAlways,
}: Pick<Question, 'rules' | 'allows'> & { canAlways: boolean }) => (
  <p>
    The wider answers allow <strong>{allows.map(visible).join('; and ')}</strong>, without asking
    again{canAlways && '; “always here” also in every later run of this folder'}.{' '}
    <a href="#/permissions">What is allowed always</a>
  </p>
);

/** Characters that nobody would see, as their numbers: what hides can change what a command does. */
export const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (hidden) =>
    hidden === '\n' || hidden === '\t'
      ? hidden
      : `\\u{${hidden.codePointAt(0)?.toString(16) ?? ''}}`,
  );
