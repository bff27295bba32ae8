/** What a person says while the run works: journalled on arrival, passed to the model at the next suitable point. */
import { plannableOf } from '../decompose/plan-schema.ts';
import { planBody } from '../decompose/plan-text/write-plan.ts';
import { orNull } from '../lib/or-null.ts';
import { personMessage, planChanged } from '../prompts/person-said.ts';
import { type Inbox, type LineTaken, MAX_LINE, MAX_WAITING_LINES } from '../schema/inbox.ts';
import { type ConversationPort, sendToModel } from './model/send-to-model.ts';
import type { RunPorts } from './run-ports.ts';

/**
 * Journals a line at any time, even during a turn or command. It is durable on return, so it may be shown as
 * received.
 */
function receiveMessage({ context }: ConversationPort, line: string): LineTaken {
  const text = line.trim();
  if (text === '') return 'empty';
  if (text.length > MAX_LINE) return 'too_long';
  if ((context.state.person?.waiting.length ?? 0) >= MAX_WAITING_LINES) return 'too_many';
  context.record({ type: 'person_said', text });
  context.sync('question');
  return 'kept';
}

/**
 * Accepts messages while the run works. The sender is outside the loop: an error is reported to the sender, and
 * the loop meets it at its next record.
 * @returns a function that stops listening
 */
export function listenTo(inbox: Inbox | null, run: ConversationPort): () => void {
  if (inbox === null) return () => {};
  return inbox.listen((line): LineTaken => {
    const { ended, paused } = run.context.state;
    if (ended !== null || paused !== null) return 'failed';
    return orNull(() => receiveMessage(run, line)) ?? 'failed';
  });
}

/** Sends everything that is due in one message. */
export function passOn(run: ConversationPort & Pick<RunPorts, 'tools'>): void {
  const { context } = run;
  const { plan, agreement } = context.state;
  const edited =
    agreement === 'unreported' && plan !== null
      ? [planChanged(planBody(plan, plannableOf(run.tools)))]
      : [];
  const due = context.state.person?.waiting.filter(({ isDue }) => isDue) ?? [];
  const lines = due.map(({ text }) => context.textOf(text));
  const parts = due.flatMap((line) => line.parts ?? []);
  sendToModel(run, { cause: 'person', text: personMessage([...edited, ...lines]), parts });
}
