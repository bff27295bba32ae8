/** Ctrl+K: finds any view, run or conversation by a few letters of its name. */
import { useState } from 'preact/hooks';
import { labelOf, runLabelOf, titleOf } from '../fold/words.ts';
import type { Store } from '../store.ts';
import { Dialog, Icon, walkRows } from './parts.tsx';
import { ALL_PLACES } from './places.ts';

const MAX = 12;

export function Palette({ store, close }: { store: Store; close: () => void }) {
  const [query, setQuery] = useState('');
  const places = [
    ...ALL_PLACES.map(({ word, href, shape }) => ({
      ...{ title: word, detail: '', href, label: { shape, tone: 'plain' as const } },
    })),
    ...store.runs.value.map((run) => ({
      ...{ title: run.goal, detail: run.path, href: `#/run/${run.id}` },
      label: run.questions > 0 ? labelOf('waiting') : runLabelOf(run),
    })),
    ...store.talks.value.map(({ id, name, number, workspacePath, state }) => ({
      ...{ title: titleOf({ name, number }), detail: workspacePath },
      ...{ href: `#/talk/${id}`, label: labelOf(state) },
    })),
  ];
  const matching = (typed: string) => {
    const words = typed.toLowerCase().split(' ').filter(Boolean);
    const isMeant = (text: string): boolean => words.every((word) => text.includes(word));
    return places
      .filter(({ title, detail }) => isMeant(`${title} ${detail}`.toLowerCase()))
      .slice(0, MAX);
  };
  return (
    <Dialog title="Go to" close={close}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys go from the field to what was found */}
      <div onKeyDown={(event) => walkRows(event, 'input, a')}>
        <input
          aria-label="A few letters of what you look for"
          value={query}
          ref={(input) => {
            if (query === '') input?.focus();
          }}
          onInput={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            // What was typed last may not be shown yet.
            const [first] = matching(event.currentTarget.value);
            if (event.key !== 'Enter' || first === undefined) return;
            location.hash = first.href;
            close();
          }}
        />
        <ul class="list">
          {matching(query).map(({ title, detail, href, label: { shape, tone } }) => (
            <li key={href}>
              <a class="work-link" href={href} onClick={close}>
                <Icon shape={shape} tone={tone} />
                <span class="work-text">
                  <span class="work-title">{title}</span>
                  <span class="dim">{detail}</span>
                </span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
