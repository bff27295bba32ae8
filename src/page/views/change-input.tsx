/** Edits the input of a call before it is allowed; sending it allows the call as edited. */
import { useState } from 'preact/hooks';
import { editedInput, type Texts, textsOf } from '../fold/input.ts';
import { ProblemAlert, RequestForm } from './parts.tsx';

interface Props {
  readonly input: { readonly [name: string]: unknown };
  /** True if the input is the text of a plan. */
  readonly isPlan: boolean;
  readonly send: (input: object) => void;
  readonly cancel: () => void;
}

const MAX_ROWS = 14;
/** Characters that fit on a line of a phone. */
const LINE_LENGTH = 28;

const rowsFor = (text: string): number =>
  Math.min(
    MAX_ROWS,
    text
      .split('\n')
      .reduce((all, line) => all + Math.max(1, Math.ceil(line.length / LINE_LENGTH)), 0),
  );

export function ChangeInput({ input, isPlan, send, cancel }: Props) {
  const [texts, setTexts] = useState<Texts>(textsOf(input));
  const [fault, setFault] = useState('');
  const submit = () => {
    const read = editedInput(input, texts);
    if ('fault' in read) setFault(read.fault);
    else send(read.input);
  };
  return (
    <RequestForm class="refusal" submit={submit}>
      {Object.entries(texts).map(([name, text], at) => (
        <label key={name}>
          {name}
          <textarea
            class="mono"
            rows={rowsFor(text)}
            value={text}
            ref={(field) => {
              if (at === 0 && field?.form?.contains(document.activeElement) === false)
                field.focus();
            }}
            onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key === 'Escape') cancel();
            }}
          />
        </label>
      ))}
      <p class="dim">
        {isPlan
          ? 'It is checked as if it had been edited in the terminal, and the run begins with it.'
          : 'It is checked like any other call, and done once.'}
      </p>
      <ProblemAlert words={fault} />
      <div class="answers">
        <button type="submit" class="primary">
          Yes, like this
        </button>
        <button type="button" class="refuse" onClick={cancel}>
          Back
        </button>
      </div>
    </RequestForm>
  );
}
