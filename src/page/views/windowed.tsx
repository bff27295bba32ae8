/**
 * A list that renders only what is near the screen. Rows may have any height: a chunk of fifty keeps its
 * measured height when it is removed, so nothing jumps.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

const CHUNK = 50;
/** Up to this length all rows are rendered. */
const RENDER_ALL_UP_TO = 200;
/** The assumed height in pixels of a row not yet measured. */
const ROW_HEIGHT = 40;

interface Props<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string | number;
  readonly render: (item: Item) => ComponentChildren;
}

export function Windowed<Item>({ items, keyOf, render }: Props<Item>) {
  const row = (item: Item) => <li key={keyOf(item)}>{render(item)}</li>;
  if (items.length <= RENDER_ALL_UP_TO) return <ol class="rows">{items.map(row)}</ol>;
  const chunks: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += CHUNK) chunks.push(items.slice(at, at + CHUNK));
  return (
    <div class="rows-windowed">
      {chunks.map((chunk, at) => (
        <Chunk key={`chunk ${at * CHUNK}`} isLast={at === chunks.length - 1} count={chunk.length}>
          {() => (
            <ol class="rows" start={at * CHUNK + 1}>
              {chunk.map(row)}
            </ol>
          )}
        </Chunk>
      ))}
    </div>
  );
}

function Chunk(props: { isLast: boolean; count: number; children: () => ComponentChildren }) {
  const { isLast, count, children } = props;
  const at = useRef<HTMLDivElement>(null);
  const height = useRef(0);
  const [isNear, setNear] = useState(isLast);
  useEffect(() => {
    const { current } = at;
    if (current === null) return;
    const watcher = new IntersectionObserver(
      ([seen]) => {
        if (seen === undefined) return;
        if (!seen.isIntersecting) height.current = current.offsetHeight;
        setNear(seen.isIntersecting);
      },
      { rootMargin: '1200px 0px' },
    );
    watcher.observe(current);
    return () => watcher.disconnect();
  }, []);
  const isRendered = isNear || isLast;
  return (
    <div ref={at} style={isRendered ? {} : { height: `${height.current || count * ROW_HEIGHT}px` }}>
      {isRendered ? children() : null}
    </div>
  );
}
