/** The standing of a run that is not at work: the reason, and the next step. */

import type { ComponentChildren } from 'preact';
import type { RunDetail } from '../../server/api/run-schemas.ts';
import type { Said } from '../../server/api/schemas.ts';
import {
  canGoOn,
  endingOf,
  isOverStanding,
  plural,
  sayUndone,
  withFullStop,
} from '../fold/words.ts';
import type { WatchedWork } from '../fold/work.ts';
import { Markdown } from './markdown.tsx';
import { Icon } from './parts.tsx';

/** Why a queued run has not started, with its place in the queue. */
export function QueueCard({ place }: { place: number | null }) {
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

/** Whether the card below says how it stands, so that no badge needs to. */
export const hasVerdict = (standing: string, serverStanding: string): boolean =>
  isOverStanding(standing) || standing === 'undoing' || canGoOn(serverStanding || standing);

/** How the run ended or why it stopped, and the next step. */
export function EndingCard(props: {
  work: WatchedWork;
  standing: string;
  serverStanding: string;
  detail: RunDetail | null;
  said: Said | null;
  /** True if the run's last resume ended too early. */
  isStuck: boolean;
  /** The buttons of the next steps. */
  children?: ComponentChildren;
}) {
  const { work, standing, serverStanding, detail, said, isStuck } = props;
  const { shape, tone, word } = endingOf(standing, work.beyond);
  const hasEnded = isOverStanding(standing);
  const undone =
    standing === 'undone'
      ? sayUndone(work) || 'what could be put back was put back'
      : standing === 'undoing' && 'some of its changes may be put back already';
  const failure = detail?.failure ?? '';
  const stop = undone || work.why || detail?.ended?.detail || detail?.paused?.detail || '';
  const cut = isStuck ? '' : failure;
  const why = stop || (hasEnded && !isLong(failure) ? failure : '');
  if (!hasVerdict(standing, serverStanding)) return null;
  const isLimit = !hasEnded && detail?.paused?.why.startsWith('limit_') === true;
  const hint = work.hint || detail?.paused?.hint || '';
  const needs = work.needs || detail?.needs || '';
  return (
    <section class={`card ending verdict-${tone} tone-${tone}`} aria-label="How it stands">
      <Icon shape={shape} tone={tone} />
      <div>
        {said?.answer && (
          <div class="the-answer">
            <Markdown text={said.answer} />
          </div>
        )}
        <p class={said?.answer ? 'dim' : ''}>
          <strong class="verdict-word">{`${word}${why === '' ? '.' : ':'}`}</strong>{' '}
          {isLimit && 'it reached a limit of this run: '}
          {withFullStop(why)}
          {standing === 'killed' && ` ${cut || 'Its process is gone.'} What it did is kept.`}
        </p>
        {(isStuck || (hasEnded && stop === '')) && <Failure {...{ failure, isStuck }} />}
        {hint !== '' && <p class="dim">{hint}</p>}
        {needs !== '' && !why.includes(needs) && (
          <p>
            <strong>It needs:</strong> {withFullStop(needs)}
          </p>
        )}
        {said !== null && !undone && <Beside said={said} why={why} />}
        {props.children}
      </div>
    </section>
  );
}

const isLong = (words: string): boolean => words.trim().includes('\n');

/**
 * The last output of a run's process, if the card does not show it already; several lines stay as they are.
 */
const Failure = ({ failure, isStuck }: { failure: string; isStuck: boolean }) => (
  <>
    {isStuck && failure !== '' && (
      <p>
        <strong>The last resume did not go on:</strong> {isLong(failure) ? '' : failure}
      </p>
    )}
    {isLong(failure) && <pre class="output">{failure.trim()}</pre>}
  </>
);

/** The model's report, shown as its own words. */
const Beside = ({ said: { report, notDone }, why }: { said: Said; why: string }) => (
  <>
    {notDone !== '' && (
      <p>
        <strong>Not done:</strong> {withFullStop(notDone)}
      </p>
    )}
    {report !== null && !why.includes(report) && (
      <div class="the-report">
        <strong>The model says:</strong>
        <Markdown text={report} />
      </div>
    )}
  </>
);
