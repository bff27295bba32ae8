/** All runs and conversations, grouped by how they stand. */
import type { RunSummary } from '../../server/api/run-schemas.ts';
import { AT_REST, GROUPS, groupOf } from '../fold/groups.ts';
import { ago, lastPart, runLabelOf, titleOf } from '../fold/words.ts';
import type { Store } from '../store.ts';
import { Empty, Icon, useLastSeen } from './parts.tsx';
import { Windowed } from './windowed.tsx';

/** The data of one row: a run or a conversation. */
interface Item {
  readonly id: string;
  readonly href: string;
  readonly title: string;
  readonly place: string;
  readonly standing: string;
  readonly isPartly?: true | undefined;
  readonly lastAt: number;
}

/** Work that needs nothing, shown in the list beside another view: this many of each group. */
const MAX_AT_REST = 5;

export function WorkList({ store, here }: { store: Store; here: string | null }) {
  const asking = new Set(store.questions.value.map(({ run }) => run));
  const items = [
    ...store.runs.value.map(itemOf),
    ...store.talks.value.map((talk) => ({
      id: talk.id,
      href: `#/talk/${talk.id}`,
      title: titleOf(talk),
      lastAt: talk.lastAt,
      place: lastPart(talk.workspacePath),
      standing: asking.has(talk.id) ? 'waiting' : talk.state,
    })),
  ].toSorted((a, b) => b.lastAt - a.lastAt);
  const now = store.browser.now();
  const limit = here === null ? items.length : MAX_AT_REST;
  return (
    <div class="work-list">
      {items.length === 0 && <Empty title="No run yet." />}
      {GROUPS.map((group) => {
        const all = items.filter((item) => groupOf(item.standing) === group);
        const visible = AT_REST.has(group) ? all.slice(0, limit) : all;
        return (
          all.length > 0 && (
            <section key={group}>
              <h2>
                {group} <span class="dim">{all.length}</span>
              </h2>
              <Windowed
                items={visible}
                keyOf={({ id }) => id}
                render={(item) => <WorkLink {...{ item, now, group }} isHere={item.id === here} />}
              />
              {visible.length < all.length && (
                <a class="dim all" href="#/work">
                  All {all.length}
                </a>
              )}
            </section>
          )
        );
      })}
    </div>
  );
}

const itemOf = (run: RunSummary): Item => ({
  id: run.id,
  href: `#/run/${run.id}`,
  title: run.goal,
  lastAt: run.lastAt,
  place: lastPart(run.path) + (run.number === null ? '' : ` #${run.number}`),
  standing: run.questions > 0 ? 'waiting' : run.standing,
  isPartly: run.isPartly,
});

export const RunRow = ({ run, now }: { run: RunSummary; now: number }) => (
  <li>
    <WorkLink item={itemOf(run)} now={now} group="" isHere={false} />
  </li>
);

interface LinkProps {
  readonly item: Item;
  readonly now: number;
  /** The heading above it; '': none. */
  readonly group: string;
  readonly isHere: boolean;
}

function WorkLink({ item, now, group, isHere }: LinkProps) {
  const { shape, tone, word } = useLastSeen(runLabelOf(item));
  return (
    <a class="work-link" href={item.href} aria-current={isHere ? 'page' : undefined}>
      <Icon shape={shape} tone={tone} />
      <span class="work-text">
        <span class="work-title" title={item.title}>
          {item.title}
        </span>
        <span class="work-where dim">
          <span class="one-line" title={item.place}>
            {word !== group && <span class={`tone-${tone}`}>{word} </span>}
            {item.place}
          </span>
          <span class="age">{ago(item.lastAt, now)}</span>
        </span>
      </span>
    </a>
  );
}
