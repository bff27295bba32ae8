/** Ctrl+K: to anything by a few letters of its name. */
import { useState } from 'preact/hooks';
import { saidOf, saidOfRun, titleOf } from '../fold/words.ts';
import type { Store } from '../store.ts';
import { Dialog, Icon, walkRows } from './parts.tsx';
import { ALL_PLACES } from './places.ts';

const MOST = 12;

export function Palette({ store, close }: { store: Store; close: () => void }) {
  const [words, setWords] = useState('');
  const places = [
    ...ALL_PLACES.map(({ word, href, shape }) => ({
      ...{ title: word, detail: '', href, said: { shape, tone: 'plain' as const } },
    })),
    ...store.runs.value.map((run) => ({
      ...{ title: run.goal, detail: run.path, href: `#/run/${run.id}` },
      said: run.questions > 0 ? saidOf('waiting') : saidOfRun(run),
    })),
    ...store.talks.value.map(({ id, name, number, workspacePath, state }) => ({
      ...{ title: titleOf({ name, number }), detail: workspacePath },
      ...{ href: `#/talk/${id}`, said: saidOf(state) },
    })),
  ];
  const wanted = words.toLowerCase().split(' ').filter(Boolean);
  const found = places
    .filter(({ title, detail }) =>
      wanted.every((word) => `${title} ${detail}`.toLowerCase().includes(word)),
    )
    .slice(0, MOST);
  return (
    <Dialog title="Go to" close={close}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys go from the field to what was found */}
      <div onKeyDown={(event) => walkRows(event, 'input, a')}>
        <input
          aria-label="A few letters of what you look for"
          value={words}
          ref={(input) => {
            if (words === '') input?.focus();
          }}
          onInput={(event) => setWords(event.currentTarget.value)}
          onKeyDown={(event) => {
            const [first] = found;
            if (event.key !== 'Enter' || first === undefined) return;
            location.hash = first.href;
            close();
          }}
        />
        <ul class="list">
          {found.map(({ title, detail, href, said: { shape, tone } }) => (
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
