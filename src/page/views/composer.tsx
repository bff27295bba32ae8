/** The input field of a conversation: for a message, or a slash command. */
import { useState } from 'preact/hooks';
import type { RunBegun, RunBody } from '../../server/api/run-schemas.ts';
import type { SessionDetail } from '../../server/api/session-schemas.ts';
import { errorWords, type Store } from '../store.ts';
import { ProblemAlert, RequestForm, useAsk, useFetched } from './parts.tsx';

interface Props {
  readonly store: Store;
  /** The id of the conversation. */
  readonly id: string;
  readonly base: string;
  readonly isWorking: boolean;
}

/** Starts a separate run in the folder of the conversation, with its model. */
async function beginRun({ store, base }: Pick<Props, 'store' | 'base'>, goal: string) {
  try {
    const { model, workspacePath } = await store.api.get<SessionDetail>(base);
    const body: RunBody = { workspace: workspacePath, goal, ...(model === '' ? {} : { model }) };
    const { id } = await store.api.begin<RunBegun>('/api/runs', body);
    location.hash = `#/run/${id}`;
    return '';
  } catch (error) {
    return errorWords(error);
  }
}

const GOAL = { text: '/goal GOAL', about: 'begin a run in this folder' };

export function Composer({ store, id, base, isWorking }: Props) {
  const [text, setTyped] = useState(store.drafts.get(id) ?? '');
  const setText = (typed: string): void => {
    store.drafts.set(id, typed);
    setTyped(typed);
  };
  const { isAsking, problem, ask } = useAsk();
  const isCommand = /^\/[a-z]*(\s|$)/.test(text);
  const send = async (): Promise<string> => {
    const goal = /^\/goal\s+(\S[\s\S]*)/.exec(text)?.[1];
    if (goal !== undefined) return beginRun({ store, base }, goal.trim());
    return isCommand
      ? store.send(`${base}/commands`, { text: text.trim() })
      : store.send(`${base}/chat`, { message: text.trim() });
  };
  const submit = () => {
    if (text.trim() === '' || isWorking || isAsking) return;
    void ask(send).then((isTaken) => {
      // Text that was typed meanwhile stays.
      if (isTaken && store.drafts.get(id) === text) setText('');
    });
  };
  return (
    <RequestForm class="composer" submit={submit}>
      <ProblemAlert words={problem} />
      {isCommand && <Commands {...{ store, base, text }} choose={setText} />}
      <div class="compose">
        <Field {...{ text, setText, submit: submit }} />
        <div class="answers">
          <button
            type="submit"
            class="primary"
            disabled={isWorking || isAsking || text.trim() === ''}
          >
            {isCommand ? 'Do it' : 'Send'}
          </button>
          {isWorking && (
            <button type="button" onClick={() => void ask(() => store.send(`${base}/cancel`, {}))}>
              Stop
            </button>
          )}
        </div>
      </div>
    </RequestForm>
  );
}

interface FieldProps {
  readonly text: string;
  readonly setText: (typed: string) => void;
  readonly submit: () => void;
}

const Field = ({ text, setText, submit }: FieldProps) => (
  <textarea
    rows={2}
    aria-label="Message"
    placeholder="Message, or / for a command"
    value={text}
    onInput={(event) => setText(event.currentTarget.value)}
    onKeyDown={(event) => {
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      submit();
    }}
  />
);

interface CommandsProps extends Pick<Props, 'store' | 'base'> {
  readonly text: string;
  readonly choose: (text: string) => void;
}

/** The commands that begin with the typed text. */
function Commands({ store, base, text, choose }: CommandsProps) {
  const { answer } = useFetched(() => store.api.get<SessionDetail>(base), [base]);
  const all = answer === null ? [] : [GOAL, ...answer.commands];
  const [typed = ''] = text.split(/\s/);
  const matches = all.filter((one) => one.text.startsWith(typed));
  if (matches.length === 0) return null;
  return (
    <ul class="commands" aria-label="Commands">
      {matches.map(({ text: command, about }) => (
        <li key={command}>
          <button type="button" class="quiet" onClick={() => choose(`${command.split(' ')[0]} `)}>
            <code>{command}</code> <span class="dim">{about}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
