/**
 * A list of which only what is near the screen is there. Rows may be of any height: a piece of fifty that was seen keeps
 * its height when it goes, so nothing jumps.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

const PIECE = 50;
/** Up to here all rows are there. */
const ALL = 200;
/** Pixels of a row that was not seen yet. */
const GUESS = 40;

interface Props<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string | number;
  readonly render: (item: Item) => ComponentChildren;
}

export function Windowed<Item>({ items, keyOf, render }: Props<Item>) {
  const row = (item: Item) => <li key={keyOf(item)}>{render(item)}</li>;
  if (items.length <= ALL) return <ol class="rows">{items.map(row)}</ol>;
  const pieces: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += PIECE) pieces.push(items.slice(at, at + PIECE));
  return (
    <div class="rows-windowed">
      {pieces.map((piece, at) => (
        <Piece key={`piece ${at * PIECE}`} isLast={at === pieces.length - 1} count={piece.length}>
          {() => (
            <ol class="rows" start={at * PIECE + 1}>
              {piece.map(row)}
            </ol>
          )}
        </Piece>
      ))}
    </div>
  );
}

function Piece(props: { isLast: boolean; count: number; children: () => ComponentChildren }) {
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
  const isThere = isNear || isLast;
  return (
    <div ref={at} style={isThere ? {} : { height: `${height.current || count * GUESS}px` }}>
      {isThere ? children() : null}
    </div>
  );
}
