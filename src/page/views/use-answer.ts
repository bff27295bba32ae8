/** Sends the answer to a question, and reports the outcome even when the question's card is gone. */
import { useEffect, useRef } from 'preact/hooks';
import type { Question } from '../../server/api/run-schemas.ts';
import { withHiddenShown } from '../fold/visible.ts';
import type { Store } from '../store.ts';
import { useAsk } from './parts.tsx';

export type ApprovalAnswer = 'once' | 'run' | 'always' | 'no';

interface Answering {
  readonly store: Store;
  readonly question: Question;
  /** The API path that takes the answer. */
  readonly path: string;
  /** A yes resumes the run, because no process waits for it. */
  readonly isResume: boolean;
}

export function useAnswer({ store, question, path, isResume }: Answering) {
  const { isAsking, problem, ask } = useAsk();
  const refused = useRef('');
  const isGone = useRef(false);
  const keep = (): void => {
    if (isGone.current && refused.current !== '') store.late.value = refused.current;
  };
  // If another answer came first, the question leaves before anybody can read why this one was refused.
  useEffect(
    () => () => {
      isGone.current = true;
      keep();
    },
    [],
  );
  const send = (answer: ApprovalAnswer, more: object = {}): void => {
    store.late.value = '';
    refused.current = '';
    void ask(async () => {
      const words = await (isResume
        ? store.send(`${path}/resume`, { agree: true })
        : store.send(`${path}/approvals/${encodeURIComponent(question.id)}`, { answer, ...more }));
      const about = withHiddenShown(question.target || question.tool);
      refused.current = words && `Your answer about “${about}” did not count. ${words}`;
      keep();
      return words;
    });
  };
  return { isAsking, problem, send };
}
