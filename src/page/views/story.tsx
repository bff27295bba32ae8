/** The history in order: one line for each entry, which opens. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { allTokens } from '../../schema/model/usage.ts';
import { toolLabel } from '../../shown/calls.ts';
import { CHECKS, checkKindOf } from '../fold/checks.ts';
import {
  clockTime,
  duration,
  type StandingShape,
  sayEntry,
  sayStatus,
  tokenText,
} from '../fold/words.ts';
import type {
  ActionEntry,
  CheckEntry,
  CommandEntry,
  MarkEntry,
  TurnEntry,
  WorkEntry,
} from '../fold/work.ts';
import { Markdown } from './markdown.tsx';
import { FirstLines, Icon, Printed } from './parts.tsx';
import { Windowed } from './windowed.tsx';

interface Props {
  readonly entries: readonly WorkEntry[];
  readonly isConversation: boolean;
  /** The id of the question below it; '': none. */
  readonly question?: string;
}

export function Story({ entries, isConversation, question = '' }: Props) {
  const { fresh, toEnd } = useFollowEnd(entries.length, isConversation, question);
  return (
    <div class="story">
      <Windowed
        items={entries}
        keyOf={({ key }) => key}
        render={(entry) => <EntryView entry={entry} isConversation={isConversation} />}
      />
      {fresh > 0 && (
        <button type="button" class="fresh" onClick={toEnd}>
          ▼ {fresh} new
        </button>
      )}
    </div>
  );
}

const openQuestion = (): Element | null => document.querySelector('.talk .question');

/** Scrolls along if the reader is at the end; otherwise it counts the new entries and does not scroll. */
function useFollowEnd(length: number, isFollowed: boolean, question: string) {
  const isAtEnd = useRef(true);
  const lengthSeen = useRef(length);
  const [fresh, setFresh] = useState(0);
  // The text of a question must be in view, not only its buttons.
  const toEnd = () => {
    const question = openQuestion();
    if (question === null) window.scrollTo({ top: document.body.scrollHeight });
    else question.scrollIntoView({ block: 'start' });
  };
  useEffect(() => {
    const onScroll = () => {
      const top = openQuestion()?.getBoundingClientRect().top ?? -1;
      const isAsked = top >= 0 && top < window.innerHeight;
      isAtEnd.current =
        isAsked || window.innerHeight + window.scrollY >= document.body.scrollHeight - 120;
      if (isAtEnd.current) setFresh(0);
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  useEffect(() => {
    const more = length - lengthSeen.current;
    lengthSeen.current = length;
    if (!isFollowed || more <= 0) return;
    if (isAtEnd.current) toEnd();
    else setFresh((before) => before + more);
  }, [length, isFollowed]);
  useEffect(() => {
    if (isFollowed && question !== '' && isAtEnd.current) toEnd();
  }, [question, isFollowed]);
  return { fresh, toEnd };
}

function EntryView({ entry, isConversation }: { entry: WorkEntry; isConversation: boolean }) {
  switch (entry.kind) {
    case 'said':
      return (
        <div class="said">
          <p class="dim">You</p>
          <Markdown text={entry.text} />
        </div>
      );
    case 'turn':
      return <TurnView entry={entry} isConversation={isConversation} />;
    case 'action':
      return <ActionView entry={entry} />;
    case 'check':
      return <FoldedCheck entry={entry} />;
    case 'command':
      return <CommandView entry={entry} />;
    case 'mark':
      return <MarkView entry={entry} />;
    default:
      return entry satisfies never;
  }
}

function TurnView({ entry, isConversation }: { entry: TurnEntry; isConversation: boolean }) {
  const { text, usage, thinking, status } = entry;
  const used = allTokens(usage);
  if (isConversation && status === 'success' && text !== '') {
    return (
      <div class="reply">
        {thinking !== '' && <Folded label="Thoughts" text={thinking} />}
        <Markdown text={text} />
      </div>
    );
  }
  // The calls of a reply have their own lines.
  if (isConversation && status === 'success') return null;
  return (
    <details class="entry">
      <summary>
        <Icon
          shape={status === 'success' ? 'step' : 'failed'}
          tone={status === 'success' ? 'plain' : 'bad'}
        />
        <span class="entry-said">{sayEntry(entry)}</span>
        <span class="entry-sum">
          {tokenText(used)} tokens{usage.modelMs > 0 && ` · ${duration(usage.modelMs)}`}
        </span>
      </summary>
      {thinking !== '' && <Folded label="Thoughts" text={thinking} />}
      <Printed kind="output">{text || 'It said nothing besides its calls.'}</Printed>
    </details>
  );
}

const Folded = ({ label, text }: { label: string; text: string }) => (
  <details class="folded">
    <summary>{label}</summary>
    <Printed kind="output">{text}</Printed>
  </details>
);

function ActionView({ entry }: { entry: ActionEntry }) {
  const { name, target, status, content, command, ms, files, args } = entry;
  const [shape, tone] = actionIcon(status);
  const code = command?.exit_code ?? 0;
  const added = files.reduce((all, file) => all + file.added, 0);
  const removed = files.reduce((all, file) => all + file.removed, 0);
  return (
    <details class="entry call">
      <summary>
        <Icon shape={shape} tone={tone} />
        <span class="entry-said">
          <code>{toolLabel(name)}</code> <span class="target">{target}</span>
        </span>
        <span class="entry-sum">
          {status !== 'ok' && <span class={`tone-${tone}`}>{sayStatus(status)}</span>}
          {code !== 0 && <span>exit code {code}</span>}
          {added > 0 && <span class="plus">+{added}</span>}
          {removed > 0 && <span class="minus">−{removed}</span>}
          {ms !== null && ms >= 100 && <span>{duration(ms)}</span>}
        </span>
      </summary>
      {Object.entries(args).map(([key, value]) => (
        <div class="argument" key={key}>
          <span class="dim">{key}</span>
          <Printed>{argumentText(value)}</Printed>
        </div>
      ))}
      <Printed kind="output">
        {command === null ? content : `${command.stdout}${command.stderr}`.trim() || content}
      </Printed>
    </details>
  );
}

function actionIcon(status: string): readonly [StandingShape, 'plain' | 'warn' | 'bad' | 'live'] {
  switch (status) {
    case 'ok':
      return ['step', 'plain'];
    case 'running':
      return ['working', 'live'];
    case 'denied':
    case 'blocked':
      return ['waiting', 'warn'];
    case 'interrupted':
    case 'cancelled':
      return ['killed', 'warn'];
    default:
      return ['failed', 'bad'];
  }
}

const argumentText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const head = (value as { head?: unknown } | null)?.head;
  return typeof head === 'string' ? `${head}…` : JSON.stringify(value, null, 1);
};

export function FoldedCheck({ entry }: { entry: CheckEntry }) {
  const { shape, tone, word } = CHECKS[checkKindOf(entry)];
  return (
    <details class="entry">
      <summary title={word}>
        <Icon shape={shape} tone={tone} />
        <span class="entry-said">{sayEntry(entry)}</span>
        <span class="entry-sum">{clockTime(entry.at)}</span>
      </summary>
      <FirstLines text={printedBy(entry)} />
    </details>
  );
}

export const printedBy = ({ text, printed }: CheckEntry): string =>
  [text, printed].filter(Boolean).join('\n');

const CommandView = ({ entry }: { entry: CommandEntry }) => (
  <section class="typed-command" aria-label={entry.line}>
    <p>
      <code>{entry.line}</code>
    </p>
    {entry.text !== '' && <Printed>{entry.text}</Printed>}
  </section>
);

const MARKS: { readonly [mark in MarkEntry['mark']]?: StandingShape } = {
  killed: 'killed',
  paused: 'paused',
  asked: 'waiting',
  undone: 'undone',
  taken_back: 'undone',
  resumed: 'working',
};

const MarkView = ({ entry }: { entry: MarkEntry }) => (
  <p class={`entry-mark ${entry.isWarning ? 'tone-warn' : ''}`}>
    <Icon shape={MARKS[entry.mark] ?? 'open'} tone={entry.isWarning ? 'warn' : 'plain'} />
    <span class="entry-said">{entry.text}</span>
    <span class="entry-sum">{clockTime(entry.at)}</span>
  </p>
);
