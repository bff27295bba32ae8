/** The change of a file, line by line. A sign repeats what the colour says. */
import { useState } from 'preact/hooks';
import { type PatchLine, shownPatchLines } from '../fold/patch.ts';
import { Scroll } from './parts.tsx';

/** The most lines that are ever shown. */
const MAX = 2000;

interface DiffProps {
  readonly patch: string;
  readonly label: string;
  /** Lines shown until a person asks for all; left out: all of them. */
  readonly first?: number;
}

export function DiffView({ patch, label, first = MAX }: DiffProps) {
  const [isWhole, setWhole] = useState(false);
  const lines = shownPatchLines(patch);
  // Folding one or two lines away would save no room.
  const isFolded = !isWhole && lines.length > first + 2;
  const hidden = lines
    .slice(first)
    .filter(({ kind }) => kind === 'added' || kind === 'removed').length;
  const visibleLines = lines.slice(0, isFolded ? first : MAX);
  return (
    <Scroll kind="diff" label={label}>
      <table>
        <tbody>
          {visibleLines.map((line, at) => (
            <Line key={at} line={line} />
          ))}
        </tbody>
      </table>
      {isFolded && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show all {lines.length} lines{hidden > 0 && `, ${hidden} more of them changed`}
        </button>
      )}
      {!isFolded && lines.length > MAX && (
        <p class="dim">{lines.length - MAX} further lines: agent diff shows all of them.</p>
      )}
    </Scroll>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '−', hunk: '', file: '' } as const;
const WORDS = { same: '', added: 'added', removed: 'removed', hunk: '', file: '' } as const;

function Line({ line }: { line: PatchLine }) {
  const { kind, text, before, after } = line;
  return (
    <tr class={`line-${kind}`}>
      <td class="line-number" aria-hidden="true">
        {before || ''}
      </td>
      <td class="line-number" aria-hidden="true">
        {after || ''}
      </td>
      <td class="line-sign" aria-label={WORDS[kind] || undefined}>
        {SIGNS[kind]}
      </td>
      <td class="line-text">{text}</td>
    </tr>
  );
}
