/** The view without a token: why, and how to get a new link. */
import type { Store } from '../store.ts';
import { Typed } from './parts.tsx';

const WHY = {
  no_link: 'This page was opened without a link.',
  used_link: 'This link was used before, or is older than a minute.',
  ended: 'The server does not know this page any more.',
} as const;

export const Out = ({ store }: { store: Store }) => (
  <main class="out">
    <section class="card">
      <p class="name">Tardigrade</p>
      <h1>{WHY[store.outBy.value]}</h1>
      <p>Type this in a terminal, and open the link that it prints:</p>
      <Typed command="agent serve --link" />
    </section>
  </main>
);
