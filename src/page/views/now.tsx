/** What goes on at this moment. */
import { useContext, useEffect, useState } from 'preact/hooks';
import { clockTime, duration, sayPurpose, sayRead } from '../fold/words.ts';
import type { Work } from '../fold/work.ts';
import type { Store } from '../store.ts';
import { Away, Icon, Printed } from './parts.tsx';

/** Characters of a text that is still written: its end, since that is what is new. */
const END = 4000;

/** A model that thinks and one that hangs look alike but for this. */
const QUIET_MS = 20_000;
const LOOK_MS = 5000;

/** How long nothing was heard of it, once that is long. */
function Silence({ store, work }: { store: Store; work: Work }) {
  const [heard, setHeard] = useState(store.doors.now());
  const [now, setNow] = useState(heard);
  useEffect(() => {
    setHeard(store.doors.now());
    setNow(store.doors.now());
    const timer = setInterval(() => setNow(store.doors.now()), LOOK_MS);
    return () => clearInterval(timer);
  }, [work]);
  const quiet = now - heard;
  return quiet < QUIET_MS ? null : (
    <p class="dim">Nothing new for {duration(Math.floor(quiet / 1000) * 1000)}.</p>
  );
}

interface Props {
  readonly store: Store;
  readonly work: Work;
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
            <code>{actionNow.name}</code> <span class="target">{actionNow.target}</span>
          </p>
          {actionNow.output !== '' && (
            <Printed kind="output">{actionNow.output.slice(-END)}</Printed>
          )}
        </div>
      )}
      {turnNow && (
        <div class="now-turn">
          <p>
            <Icon shape="working" tone={tone} />
            Turn {turnNow.turn}: the model {sayPurpose(turnNow.purpose, turnNow.target)}
            {sayRead(turnNow)}
          </p>
          {turnNow.thinking !== '' && turnNow.text === '' && (
            <Printed kind="output thinking">{turnNow.thinking.slice(-END)}</Printed>
          )}
          {turnNow.text !== '' && <Printed kind="output">{turnNow.text.slice(-END)}</Printed>}
          {turnNow.calls.map((call, at) => (
            <Printed kind="output" key={at}>
              {call.name} {call.args.slice(-END)}
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
