/** The tabs of a run; arrow keys switch between them. */
const TABS = ['Changes', 'Proof', 'Story', 'Cost'] as const;
export type Tab = (typeof TABS)[number];

export function Tabs({ tab, setTab }: { tab: Tab; setTab: (tab: Tab) => void }) {
  const walk = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? 'Changes';
    setTab(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Of this run" onKeyDown={walk}>
      {TABS.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={tab === name}
          aria-controls="panel"
          tabIndex={tab === name ? 0 : -1}
          onClick={() => setTab(name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
