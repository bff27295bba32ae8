/**
 * Adopts a run that came with its folder, or repairs a damaged journal: shows the effect first, and agrees to
 * exactly that.
 */
import { useState } from 'preact/hooks';
import type { AdoptAnswer, RepairAnswer, RunDetail } from '../../server/api/run-schemas.ts';
import type { Store } from '../store.ts';
import { Dialog, Icon, ProblemAlert, useAsk, useFetched } from './parts.tsx';
import { NamesSection } from './undo-dialog.tsx';

interface Offer {
  readonly route: 'adopt' | 'repair';
  readonly title: string;
  readonly about: string;
  readonly word: string;
}

const ADOPT: Offer = {
  route: 'adopt',
  title: 'It came with its folder.',
  word: 'Take it over',
  about: 'Your agent did not begin it, so it is only shown.',
};
const REPAIR: Offer = {
  route: 'repair',
  title: 'The record of this run is damaged.',
  word: 'Repair it',
  about:
    'The files of your project are no part of it. What can be read of it stays as it is until you agree to a repair.',
};

interface Props {
  readonly store: Store;
  readonly base: string;
  readonly serverStanding: string;
  readonly detail: RunDetail | null;
  /** The error message of the server. */
  readonly problem: string;
  readonly done: () => void;
}

const DAMAGED = { shape: 'failed', tone: 'bad' } as const;
const FOREIGN = { shape: 'unsure', tone: 'warn' } as const;

export function TakeOver({ store, base, serverStanding, detail, problem, done }: Props) {
  const [isOpen, setOpen] = useState(false);
  const offer = serverStanding === 'damaged' ? REPAIR : detail?.origin === 'foreign' ? ADOPT : null;
  if (offer === null) return null;
  const close = () => setOpen(false);
  return (
    <section
      class={`card ending ${offer === REPAIR ? 'verdict-bad' : ''}`}
      aria-label={offer.title}
    >
      <Icon {...(offer === REPAIR ? DAMAGED : FOREIGN)} />
      <div>
        <p>
          <strong>{offer.title}</strong> {offer.about}
        </p>
        {offer === REPAIR && problem !== '' && <p class="dim">{problem}</p>}
        {store.may('answer') && (
          <p class="answers">
            <button type="button" class="primary" onClick={() => setOpen(true)}>
              {offer.word}…
            </button>
          </p>
        )}
      </div>
      {isOpen && <AgreeDialog {...{ store, base, offer, close, done }} />}
    </section>
  );
}

interface DialogProps extends Pick<Props, 'store' | 'base' | 'done'> {
  readonly offer: Offer;
  readonly close: () => void;
}

function AgreeDialog({ store, base, offer, close, done }: DialogProps) {
  const { isAsking, problem, ask } = useAsk();
  const path = `${base}/${offer.route}`;
  const { answer: plan, problem: refused } = useFetched(
    () => store.api.post<Partial<AdoptAnswer & RepairAnswer>>(path, {}),
    [],
  );
  const key = plan?.key ?? '';
  const agree = () =>
    void ask(() => store.send(path, { agreed: key })).then((isDone) => {
      if (!isDone) return;
      done();
      close();
    });
  return (
    <Dialog title={offer.word} close={close}>
      <ProblemAlert words={refused || problem} />
      {plan === null && refused === '' && <p class="dim">Checking what that would mean …</p>}
      <NamesSection title="What it would do first" names={plan?.next ?? []} />
      <NamesSection title="Addresses that count no more" names={plan?.dropped?.addresses ?? []} />
      <NamesSection title="Permissions that count no more" names={plan?.dropped?.grants ?? []} />
      <NamesSection title="Found" names={plan?.found ?? []} />
      <NamesSection title="Stays" names={plan?.kept ?? []} />
      <NamesSection title="Would be lost to the run" names={plan?.lost ?? []} />
      <div class="answers">
        <button type="button" class="primary" disabled={key === '' || isAsking} onClick={agree}>
          {offer.word}
        </button>
        <button type="button" class="refuse" onClick={close}>
          Leave it
        </button>
      </div>
    </Dialog>
  );
}
