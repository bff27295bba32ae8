/** The exact words of a call that needs an answer, with no character hidden. */
import type { Question } from '../../server/api/run-schemas.ts';
import { withHiddenShown } from '../fold/visible.ts';
import { DiffView } from './diff.tsx';
import { Printed } from './parts.tsx';

/** Lines of a long change that are shown at first, so that the buttons stay near; the rest is shown on demand. */
const FIRST_LINES = 16;

/** Shows exactly what will run: a command word by word, a change as a diff. */
export function ExactWords({ question, title }: { question: Question; title: string }) {
  const { argv, inputText = '' } = question;
  // The invisible characters of a patch are escaped already.
  const isPatch = inputText.startsWith('--- ');
  const isDrawn = isPatch && inputText.includes('\n@@ ');
  return (
    <>
      {/* If a diff is shown, the head of the card names the file. */}
      {argv ? (
        <p class="exact argv">
          {argv.map((word, at) => (
            <code key={at}>{withHiddenShown(word)}</code>
          ))}
        </p>
      ) : (
        (!isDrawn || question.isNoted) && (
          <pre class="exact">
            <code>{withHiddenShown(title)}</code>
          </pre>
        )
      )}
      {isDrawn ? (
        <DiffView patch={inputText} label={`Change of ${title}`} first={FIRST_LINES} />
      ) : (
        inputText !== '' && (
          <Printed kind="exact">
            <code>{isPatch ? inputText : withHiddenShown(inputText)}</code>
          </Printed>
        )
      )}
    </>
  );
}

/** What the answers with a wider scope would allow. */
export const WiderAnswers = ({
  rules,
  allows = rules,
  canAlways,
}: Pick<Question, 'rules' | 'allows'> & { canAlways: boolean }) => (
  <p>
    The wider answers allow <strong>{allows.map(withHiddenShown).join('; and ')}</strong>, without
    asking again{canAlways && '; “always here” also in every later run of this folder'}.{' '}
    <a href="#/permissions">What is allowed always</a>
  </p>
);
