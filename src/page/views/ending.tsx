/** Where a run stands that nobody works on: why, and the one next step. */

import type { ComponentChildren } from 'preact';
import type { RunDetail } from '../../server/api/run-schemas.ts';
import { canGoOn, endingOf, isOver, plural, sayUndone, sentence } from '../fold/words.ts';
import type { Work } from '../fold/work.ts';
import { Icon } from './parts.tsx';

/** Why nothing goes on yet. */
export function Turn({ place }: { place: number | null }) {
  const before = place === 0 ? 'It is next.' : `${plural(place ?? 0, 'run')} before it.`;
  return (
    <section class="card ending" aria-label="How it stands">
      <Icon shape="open" />
      <p>
        <strong>Queued.</strong> {place !== null && before} One run works in a folder at a time, and
        only so many at once.
      </p>
    </section>
  );
}

/** Whether a card says where it stands, so that nothing else need do it. */
export const hasVerdict = (standing: string, told: string): boolean =>
  isOver(standing) || canGoOn(told || standing);

/** How it ended or why it stands still, and the one next step. */
export function Ending(props: {
  work: Work;
  standing: string;
  told: string;
  detail: RunDetail | null;
  /** What to press. */
  children?: ComponentChildren;
}) {
  const { work, standing, told, detail } = props;
  const { shape, tone, word } = endingOf(standing, work.beyond);
  const hasEnded = isOver(standing);
  const undone = standing === 'undone' ? sayUndone(work) || 'Its changes were put back.' : '';
  const why =
    undone || work.why || detail?.ended?.detail || detail?.paused?.detail || detail?.failure || '';
  if (!hasVerdict(standing, told)) return null;
  const isLimit = !hasEnded && detail?.paused?.why.startsWith('limit_') === true;
  const hint = work.hint || detail?.paused?.hint || '';
  const needs = work.needs || detail?.needs || '';
  return (
    <section class={`card ending verdict-${tone} tone-${tone}`} aria-label="How it stands">
      <Icon shape={shape} tone={tone} />
      <div>
        {detail?.answer && <p class="the-answer">{detail.answer}</p>}
        <p class={detail?.answer ? 'dim' : ''}>
          <strong class="verdict-word">{word}.</strong>{' '}
          {isLimit && 'It reached a limit of this run: '}
          {sentence(why, work.plan?.proof?.cmd)}
          {standing === 'killed' && ' Its process is gone, and what it did is kept.'}
        </p>
        {hint !== '' && <p class="dim">{hint}</p>}
        {needs !== '' && !why.includes(needs) && (
          <p>
            <strong>It needs:</strong> {sentence(needs)}
          </p>
        )}
        {props.children}
      </div>
    </section>
  );
}
