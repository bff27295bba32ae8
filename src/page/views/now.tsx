/** What the run is doing now. */
import { useContext, useEffect, useState } from 'preact/hooks';
import { toolLabel } from '../../shown/calls.ts';
import { purposeWords } from '../../shown/turns.ts';
import { clockTime, duration, sayRead } from '../fold/words.ts';
import type { WatchedWork } from '../fold/work.ts';
import type { Store } from '../store.ts';
import { Away, Icon, Printed } from './parts.tsx';

/** Characters shown of a text that is still being written: its end is what is new. */
const END_LENGTH = 4000;

/** Silence longer than this is shown, because a model that thinks looks like one that hangs. */
const QUIET_MS = 20_000;
const POLL_MS = 5000;

/** Says how long there was no event, once that is long. */
function Silence({ store, work }: { store: Store; work: WatchedWork }) {
  const [lastHeardAt, setLastHeardAt] = useState(store.browser.now());
  const [now, setNow] = useState(lastHeardAt);
  useEffect(() => {
    setLastHeardAt(store.browser.now());
    setNow(store.browser.now());
    const timer = setInterval(() => setNow(store.browser.now()), POLL_MS);
    return () => clearInterval(timer);
  }, [work]);
  const quiet = now - lastHeardAt;
  return quiet < QUIET_MS ? null : (
    <p class="dim">Nothing new for {duration(Math.floor(quiet / 1000) * 1000)}.</p>
  );
}

interface Props {
  readonly store: Store;
  readonly work: WatchedWork;
  readonly isWorking: boolean;
}

export function Now({ store, work, isWorking }: Props) {
  const { turnNow, actionNow, wait, trial } = work;
  const isAway = useContext(Away);
  const tone = isAway ? 'plain' : 'live';
  if (!isWorking) return null;
  return (
    <section class="card now" aria-label="Now">
      <h2>
        {isAway
          ? `Last that was seen${work.lastAt > 0 ? `, ${clockTime(work.lastAt)}` : ''}`
          : 'Now'}
      </h2>
      {wait !== '' && <p class="dim">Waits: {wait}</p>}
      {trial !== '' && (
        <p>
          <Icon shape="working" tone={tone} /> {trial}
        </p>
      )}
      {actionNow && (
        <div class="now-action">
          <p>
            <Icon shape="working" tone={tone} />
            <code>{toolLabel(actionNow.name)}</code> <span class="target">{actionNow.target}</span>
          </p>
          {actionNow.output !== '' && (
            <Printed kind="output">{actionNow.output.slice(-END_LENGTH)}</Printed>
          )}
        </div>
      )}
      {turnNow && (
        <div class="now-turn">
          <p>
            <Icon shape="working" tone={tone} />
            Turn {turnNow.turn}: {purposeWords(turnNow.purpose, turnNow.target)}
            {sayRead(turnNow)}
          </p>
          {turnNow.thinking !== '' && turnNow.text === '' && (
            <Printed kind="output thinking">{turnNow.thinking.slice(-END_LENGTH)}</Printed>
          )}
          {turnNow.text !== '' && (
            <Printed kind="output">{turnNow.text.slice(-END_LENGTH)}</Printed>
          )}
          {turnNow.calls.map((call, at) => (
            <Printed kind="output" key={at}>
              {call.name} {call.args.slice(-END_LENGTH)}
            </Printed>
          ))}
        </div>
      )}
      {!isAway && <Silence {...{ store, work }} />}
      {!turnNow && !actionNow && wait === '' && trial === '' && (
        <p class="dim">Between two steps.</p>
      )}
    </section>
  );
}
