/** The view without a token: why, and how to get a new link. */
import type { Store } from '../store.ts';
import { CopyButton } from './parts.tsx';

const WHY = {
  no_link: 'This page was opened without a link.',
  used_link: 'This link was used before, or is older than a minute.',
  ended: 'The server does not know this page any more.',
} as const;

const COMMAND = 'agent serve --link';

export const Out = ({ store }: { store: Store }) => (
  <main class="out">
    <section class="card">
      <p class="name">Tardigrade</p>
      <h1>{WHY[store.outBy.value]}</h1>
      <p>Type this in a terminal, and open the link that it prints:</p>
      <p class="command">
        <code>{COMMAND}</code> <CopyButton text={COMMAND} label="Copy" />
      </p>
    </section>
  </main>
);
