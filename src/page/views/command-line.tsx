/** The command that would start the same run, as formatted by the server. */
import { useEffect, useState } from 'preact/hooks';
import type { RunBody, TypedCommand } from '../../server/api/run-schemas.ts';
import { errorWords, type Store } from '../store.ts';
import { Typed } from './parts.tsx';

/** Without typing, before the server is asked. */
const PAUSE_MS = 300;

export function CommandLineSection({ store, run }: { store: Store; run: RunBody }) {
  const [isOpen, setOpen] = useState(false);
  const [command, setCommand] = useState('');
  const [problem, setProblem] = useState('');
  const body = JSON.stringify(run);
  useEffect(() => {
    if (!isOpen || run.goal === '' || run.workspace === '') return setCommand('');
    const timer = setTimeout(() => {
      store.api.post<TypedCommand>('/api/runs/typed', run).then(
        (answer) => {
          setCommand(answer.command);
          setProblem('');
        },
        (error) => setProblem(errorWords(error)),
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isOpen, body]);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>As a command</summary>
      {problem !== '' && <p class="dim">{problem}</p>}
      {command === '' && problem === '' && <p class="dim">It appears here once there is a goal.</p>}
      {problem === '' && <Typed command={command} />}
    </details>
  );
}
