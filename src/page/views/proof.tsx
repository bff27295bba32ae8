/** The proof before and after the work, each with its output, and the verdict. */
import type { ComponentChildren } from 'preact';
import { CHECKS, checkKindOf } from '../fold/checks.ts';
import {
  clockTime,
  endingOf,
  isOverStanding,
  plural,
  sayEntry,
  withFullStop,
} from '../fold/words.ts';
import type { ActionEntry, CheckEntry, WatchedWork } from '../fold/work.ts';
import { FirstLines, Icon, Legend } from './parts.tsx';
import { FoldedCheck, printedBy } from './story.tsx';

export function ProofView({ work }: { work: WatchedWork }) {
  const checks = work.entries.filter((entry) => entry.kind === 'check');
  const proofs = checks.filter(({ isProof }) => isProof);
  const copies = checks.filter(({ copy }) => copy !== '');
  const others = checks.filter(({ isProof, copy }) => !isProof && copy === '');
  const command = work.plan?.proof?.cmd ?? proofs.at(-1)?.what;
  return (
    <div class="proof">
      {!isSaidAbove(work) && <Verdict work={work} />}
      {command === undefined ? (
        <p class="dim">
          {work.plan === null && !isOverStanding(work.standing)
            ? 'There is no plan yet.'
            : 'This run has no command that proves it.'}
        </p>
      ) : (
        <BeforeAndAfter {...{ work, proofs, command }} />
      )}
      <Column title={`Tries in a copy of the folder (${copies.length})`} none="">
        {copies.map(foldedCheck)}
      </Column>
      <Column title={plural(others.length, 'further check')} none="">
        {others.map(foldedCheck)}
      </Column>
      <Marks checks={checks} />
    </div>
  );
}

interface SidesProps {
  readonly work: WatchedWork;
  readonly proofs: readonly CheckEntry[];
  readonly command: string;
}

function BeforeAndAfter({ work, proofs, command }: SidesProps) {
  const failedCommand = work.entries.find(
    (one) => one.kind === 'action' && one.failedBefore !== undefined && one.target === command,
  );
  const before = proofs.filter(({ when }) => when === 'before');
  const after = proofs.filter(({ when }) => when !== 'before');
  return (
    <div class="two-columns">
      <Column title="Before the first change" none="The proof was not run before the work.">
        {before.map(openCheck)}
        {before.length === 0 && failedCommand?.kind === 'action' && (
          <FailedBefore entry={failedCommand} />
        )}
      </Column>
      <Column
        title="After the work"
        none={isOverStanding(work.standing) ? 'No proof was run.' : 'The proof was not run yet.'}
      >
        {after.map(openCheck)}
      </Column>
    </div>
  );
}

/** Whether the head of the run already shows the same words. */
const isSaidAbove = ({ verdict, why, standing }: WatchedWork): boolean =>
  isOverStanding(standing) && why !== '' && (verdict === '' || verdict === why);

function Verdict({ work }: { work: WatchedWork }) {
  const { verdict, standing, why } = work;
  const isProved = standing === 'achieved';
  const words = verdict || why;
  const label = endingOf('achieved', work.beyond);
  if (words === '') return <p class="dim">Nothing is proved yet.</p>;
  return (
    <p class="verdict">
      <Icon shape={isProved ? label.shape : 'unsure'} tone={isProved ? label.tone : 'warn'} />
      <span>
        <strong>{isProved ? label.word : work.isProved ? 'It would hold' : 'Not verified'}:</strong>{' '}
        {withFullStop(words)}
      </span>
    </p>
  );
}

interface ColumnProps {
  readonly title: string;
  readonly none: string;
  readonly children: readonly ComponentChildren[];
}

function Column({ title, none, children }: ColumnProps) {
  const isEmpty = children.flat().filter(Boolean).length === 0;
  if (isEmpty && none === '') return null;
  return (
    <section>
      <h3>{title}</h3>
      {isEmpty ? <p class="dim">{none}</p> : children}
    </section>
  );
}

const foldedCheck = (entry: CheckEntry) => <FoldedCheck key={entry.key} entry={entry} />;

const openCheck = (entry: CheckEntry) => {
  const { shape, tone } = CHECKS[checkKindOf(entry)];
  return (
    <div class="entry shown" key={entry.key}>
      <p class="entry-head">
        <Icon shape={shape} tone={tone} />
        <span class="entry-said">{sayEntry(entry)}</span>
        <span class="entry-sum">{clockTime(entry.at)}</span>
      </p>
      <FirstLines text={printedBy(entry)} />
    </div>
  );
};

const FAILED_BEFORE = {
  failed: 'and its tests failed.',
  absent: 'and it could not run, which shows little.',
  unknown: 'and it failed; nothing counted tells of what.',
} as const;

function FailedBefore({ entry }: { entry: ActionEntry }) {
  const { command, content, failedBefore = 'unknown', at, target } = entry;
  const printed = command === null ? '' : `${command.stdout}${command.stderr}`.trim();
  return (
    <div class="entry shown">
      <p class="entry-head">
        <Icon shape={failedBefore === 'failed' ? 'failed' : 'unsure'} />
        <span class="entry-said">
          The model ran <code>{target}</code> before its first change, {FAILED_BEFORE[failedBefore]}
        </span>
        <span class="entry-sum">{clockTime(at)}</span>
      </p>
      <FirstLines text={printed || content} />
    </div>
  );
}

/** The legend of the marks in use. */
function Marks({ checks }: { checks: readonly CheckEntry[] }) {
  const kinds = new Map(
    checks.map((one) => CHECKS[checkKindOf(one)]).map((said) => [said.word, said] as const),
  );
  if (kinds.size === 0) return null;
  return (
    <Legend
      label="What the marks mean"
      marks={[...kinds.values()].map(({ shape, tone, word }) => [
        <Icon key={word} {...{ shape, tone }} />,
        word,
      ])}
    />
  );
}
