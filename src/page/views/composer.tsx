/** The place to say more: a message, or a command behind a slash. */
import { useEffect, useState } from 'preact/hooks';
import type { SessionDetail } from '../../server/api/session-schemas.ts';
import type { Store } from '../store.ts';
import { Problem, useAsk } from './parts.tsx';

interface Props {
  readonly store: Store;
  readonly base: string;
  readonly isWorking: boolean;
  readonly isOpen: boolean;
  readonly workspacePath: string;
}

export function Composer({ store, base, isWorking, isOpen, workspacePath }: Props) {
  const [text, setText] = useState('');
  const { isAsking, problem, ask } = useAsk();
  const isCommand = /^\/[a-z]*(\s|$)/.test(text);
  const send = async (): Promise<string> => {
    const opened = isOpen ? '' : await store.send(`${base}/resume`, { workspacePath });
    if (opened !== '') return opened;
    return isCommand
      ? store.send(`${base}/commands`, { text: text.trim() })
      : store.send(`${base}/chat`, { message: text.trim() });
  };
  const say = () => {
    if (text.trim() === '' || isWorking || isAsking) return;
    void ask(send).then((isTaken) => {
      if (isTaken) setText('');
    });
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        say();
      }}
    >
      <Problem words={problem} />
      {isCommand && <Commands {...{ store, base, text }} take={setText} />}
      <textarea
        rows={2}
        aria-label="Message"
        placeholder="Message, or / for a command"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          say();
        }}
      />
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
    </form>
  );
}

interface CommandsProps extends Pick<Props, 'store' | 'base'> {
  readonly text: string;
  readonly take: (text: string) => void;
}

/** Those that begin with what is typed. */
function Commands({ store, base, text, take }: CommandsProps) {
  const [all, setAll] = useState<SessionDetail['commands']>([]);
  useEffect(() => {
    store.api.get<SessionDetail>(base).then(
      ({ commands }) => setAll(commands),
      () => {},
    );
  }, [base]);
  const [typed = ''] = text.split(/\s/);
  const found = all.filter((one) => one.text.startsWith(typed));
  if (found.length === 0) return null;
  return (
    <ul class="commands" aria-label="Commands">
      {found.map(({ text: command, about }) => (
        <li key={command}>
          <button type="button" class="quiet" onClick={() => take(`${command.split(' ')[0]} `)}>
            <code>{command}</code> <span class="dim">{about}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
