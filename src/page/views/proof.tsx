/** Red before, green after, and the sentence that says what may be claimed. */
import { isOver, plural, sentence } from '../fold/words.ts';
import type { CheckEntry, Work } from '../fold/work.ts';
import { Icon } from './parts.tsx';
import { CheckView } from './story.tsx';

export function ProofView({ work }: { work: Work }) {
  const checks = work.entries.filter((entry) => entry.kind === 'check');
  const proofs = checks.filter(({ isProof }) => isProof);
  const copies = checks.filter(({ copy }) => copy !== '');
  const others = checks.filter(({ isProof, copy }) => !isProof && copy === '');
  const command = work.plan?.proof?.cmd ?? proofs.at(-1)?.what;
  const seen = work.entries.some(
    (one) => one.kind === 'action' && one.hasFailedBefore && one.target === command,
  );
  const before = proofs.filter(({ when }) => when === 'before');
  const after = proofs.filter(({ when }) => when !== 'before');
  return (
    <div class="proof">
      {!isSaidAbove(work) && <Verdict work={work} />}
      <div class="two-columns">
        <Column
          title="Before the work"
          checks={before}
          none={
            seen
              ? 'The model ran it before its first change, and it failed.'
              : 'The proof was not run before the work.'
          }
        />
        <Column
          title="After the work"
          checks={after}
          none={isOver(work.standing) ? 'No proof was run.' : 'The proof was not run yet.'}
        />
      </div>
      <Column title={`Tries in a copy of the folder (${copies.length})`} checks={copies} none="" />
      <Column title={plural(others.length, 'further check')} checks={others} none="" />
    </div>
  );
}

/** The view of the run says first how it ended; the same words need not stand here again. */
const isSaidAbove = ({ verdict, why, standing }: Work): boolean =>
  isOver(standing) && why !== '' && (verdict === '' || verdict === why);

function Verdict({ work }: { work: Work }) {
  const { verdict, isKnown, standing, why } = work;
  const isProved = standing === 'achieved';
  const words = verdict || why;
  if (words === '') return <p class="dim">Nothing is proved yet.</p>;
  return (
    <p class="verdict">
      <Icon shape={isProved ? 'proved' : 'unsure'} tone={isProved ? 'good' : 'warn'} />
      <span>
        <strong>{isProved ? 'Proved.' : isKnown ? 'It would hold.' : 'Not verified.'}</strong>{' '}
        {sentence(words)}
      </span>
    </p>
  );
}

interface ColumnProps {
  readonly title: string;
  readonly checks: readonly CheckEntry[];
  readonly none: string;
}

function Column({ title, checks, none }: ColumnProps) {
  if (checks.length === 0 && none === '') return null;
  return (
    <section>
      <h3>{title}</h3>
      {checks.length === 0 && <p class="dim">{none}</p>}
      {checks.map((entry) => (
        <CheckView key={entry.key} entry={entry} />
      ))}
    </section>
  );
}
