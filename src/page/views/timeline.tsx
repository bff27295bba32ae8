/**
 * The history as marks: bars are turns with their tokens, dots are calls, and what changed the course of the
 * work (a kill, a resume, a pause, a compaction) is a line. Arrow keys step through it.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { legendOf, markWord, type TimelineMark, timelineOf } from '../fold/timeline.ts';
import { clockTime, sayEntry } from '../fold/words.ts';
import type { WorkEntry } from '../fold/work.ts';
import { Legend } from './parts.tsx';

/** Pixels. */
const NARROW = 12;
const WIDE = 48;
const HEIGHT = 80;
const FLOOR = 66;
/** The height of the tallest bar, below the two rows of words. */
const TALLEST = 34;
/** Space on the right for the word of the last line. */
const ROOM = 72;

interface Props {
  readonly entries: readonly WorkEntry[];
  readonly chosen: number | null;
  readonly choose: (key: number) => void;
}

/** The visible part and the width of a column. The view follows the end if it shows the end; otherwise it stays. */
function useViewport(length: number, isFollowed: boolean) {
  const box = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState({ from: 0, width: 4000 });
  const fits = Math.floor((viewport.width - ROOM) / Math.max(1, length));
  const column = Math.max(NARROW, Math.min(WIDE, fits));
  const measure = () => {
    const { current } = box;
    if (current !== null) setViewport({ from: current.scrollLeft, width: current.clientWidth });
  };
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const isAtEnd = current.scrollWidth - current.scrollLeft - current.clientWidth < 3 * column;
    if (isFollowed || isAtEnd) current.scrollLeft = current.scrollWidth;
    measure();
  }, [length]);
  return { box, viewport, column, measure };
}

export const TimelineCard = (props: Props) => (
  <section class="card" aria-label="Timeline of the run">
    <h2>Timeline</h2>
    <Timeline {...props} />
    <Legend
      label="What the marks of the timeline mean"
      marks={legendOf(timelineOf(props.entries)).map((mark) => [
        <Sample key={mark.means} mark={mark} />,
        mark.means,
      ])}
    />
  </section>
);

function Timeline({ entries, chosen, choose }: Props) {
  const { box, viewport, column, measure } = useViewport(entries.length, chosen === null);
  const now = chosen ?? entries.length - 1;
  const visibleMarks = timelineOf(entries).filter(
    (mark) =>
      mark.column * column > viewport.from - 200 &&
      mark.column * column < viewport.from + viewport.width + 200,
  );
  const step = (event: KeyboardEvent): void => {
    const last = entries.length - 1;
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.max(0, Math.min(last, to));
    choose(next);
    const { current } = box;
    if (current !== null) current.scrollLeft = next * column - current.clientWidth / 2;
  };
  const entry = entries[now];
  return (
    <div class="timeline">
      <div
        ref={box}
        class="timeline-box"
        role="slider"
        tabIndex={0}
        aria-label="Timeline"
        aria-orientation="horizontal"
        aria-valuemin={1}
        aria-valuemax={Math.max(1, entries.length)}
        aria-valuenow={now + 1}
        aria-valuetext={entry === undefined ? 'Nothing yet' : sayEntry(entry)}
        onScroll={measure}
        onKeyDown={step}
      >
        <svg width={entries.length * column + ROOM} height={HEIGHT} aria-hidden="true">
          <line class="timeline-floor" x1="0" x2="100%" y1={FLOOR + 0.5} y2={FLOOR + 0.5} />
          {visibleMarks.map((mark) => (
            <Mark
              key={mark.entry.key}
              mark={mark}
              width={column}
              isChosen={mark.column === chosen}
              choose={choose}
            />
          ))}
          {visibleMarks.map((mark) => (
            <Word key={mark.entry.key} mark={mark} width={column} />
          ))}
        </svg>
      </div>
      {entry && (
        <p class="timeline-said" aria-hidden="true">
          <span class="dim">{clockTime(entry.at)}</span> {captionOf(entry)}
        </p>
      )}
    </div>
  );
}

/** The verdict is shown above, so the last mark does not repeat it. */
const captionOf = (entry: WorkEntry): string =>
  entry.kind === 'mark' && entry.mark === 'finished' ? 'The run ended.' : sayEntry(entry);

interface MarkProps {
  readonly mark: TimelineMark;
  /** The width of a column. */
  readonly width: number;
  readonly isChosen: boolean;
  readonly choose: (key: number) => void;
}

function Mark({ mark, width, isChosen, choose }: MarkProps) {
  const { column, shape, tone, height } = mark;
  const left = column * width;
  const middle = left + width / 2;
  // A title element in each mark would count as text of the page.
  const setTooltip = (event: MouseEvent): void =>
    (event.currentTarget as Element)
      .closest('.timeline-box')
      ?.setAttribute('title', `${sayEntry(mark.entry)} (${mark.means})`);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys of the slider do the same
    <g
      class={`mark ${shape} tone-${tone} ${isChosen ? 'chosen' : ''}`}
      onClick={() => choose(column)}
      onMouseEnter={setTooltip}
    >
      <rect class="mark-area" x={left} y={0} width={width} height={HEIGHT} />
      <MarkShape {...{ shape, middle, height }} />
    </g>
  );
}

/** One mark alone, drawn as in the timeline. */
const Sample = ({ mark: { shape, tone } }: { mark: TimelineMark }) => (
  <svg class={`mark ${shape} tone-${tone}`} viewBox={SAMPLES[shape] ?? SMALL} aria-hidden="true">
    <MarkShape {...{ shape, middle: 8, height: 0.2 }} />
  </svg>
);
const SMALL = `0 ${FLOOR - 2} 16 16`;
const SAMPLES: { readonly [shape in TimelineMark['shape']]?: string } = {
  bar: `0 ${FLOOR - 14} 16 16`,
  line: '0 0 16 16',
};

/** The word of a line, drawn above all lines so that none crosses it. */
function Word({ mark, width }: { mark: TimelineMark; width: number }) {
  const { column, shape, tone, row, entry } = mark;
  if (shape !== 'line' || entry.kind !== 'mark' || row < 0) return null;
  return (
    <g class={`mark tone-${tone}`}>
      <text x={(column + 0.5) * width + 4} y={10 + 12 * row}>
        {markWord(entry.mark)}
      </text>
    </g>
  );
}

function MarkShape(props: { shape: TimelineMark['shape']; middle: number; height: number }) {
  const { shape, middle, height } = props;
  const tall = 4 + height * TALLEST;
  switch (shape) {
    case 'bar':
      return <rect x={middle - 4} y={FLOOR - tall} width={8} height={tall} rx="2" />;
    case 'cross':
      return <path d={`M${middle - 3} ${FLOOR + 3}l6 6m0-6l-6 6`} />;
    case 'tick':
      return <path d={`M${middle - 4} ${FLOOR + 6}l3 3 5-6`} />;
    case 'line':
      return <line x1={middle} x2={middle} y1={0} y2={HEIGHT} />;
    case 'ring':
      return <circle class="hollow" cx={middle} cy={FLOOR + 6} r={3.5} />;
    case 'note':
      return <path d={`M${middle} ${FLOOR + 2}l4 4-4 4-4-4z`} />;
    case 'person':
      return <rect x={middle - 4} y={FLOOR + 2} width={8} height={8} />;
    default:
      return <circle cx={middle} cy={FLOOR + 6} r={3} />;
  }
}
