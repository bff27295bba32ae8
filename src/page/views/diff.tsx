/** A change of a file, line by line. The sign says what colour says. */
import { linesOf, type PatchLine } from '../fold/patch.ts';
import { Scroll } from './parts.tsx';

/** Lines that are shown at once. */
const MOST = 2000;

export function DiffView({ patch, label }: { patch: string; label: string }) {
  const lines = linesOf(patch);
  const shown = lines.slice(0, MOST);
  return (
    <Scroll kind="diff" label={label}>
      <table>
        <tbody>
          {shown.map((line, at) => (
            <Line key={at} line={line} />
          ))}
        </tbody>
      </table>
      {lines.length > MOST && (
        <p class="dim">{lines.length - MOST} further lines: agent diff shows all of them.</p>
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
