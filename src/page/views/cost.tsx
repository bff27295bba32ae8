/** Tokens, money and time, in total and for each subtask. */
import { tokensOut } from '../../schema/model/usage.ts';
import { costText } from '../../shown/costs.ts';
import { duration, spent, tokenText } from '../fold/words.ts';
import { NO_SUM, type Sum, type WatchedWork } from '../fold/work.ts';
import { FactList, Scroll } from './parts.tsx';

export function CostView({ work }: { work: WatchedWork }) {
  const { usage, costUsd, unpricedTurns, turns, actions, workedMs, sums, plan } = work;
  const subtasks = plan?.tasks.flatMap((task) => task.subtasks) ?? [];
  return (
    <div class="cost">
      <FactList
        rows={[
          ['Cost', sayCost(costUsd, unpricedTurns)],
          ['Tokens', tokenText(spent(work))],
          ['Read by the model', tokenText(usage.input)],
          ['Read from a cache', tokenText(usage.cacheRead)],
          ['Put into a cache', tokenText(usage.cacheWrite)],
          ['Written by the model', tokenText(tokensOut(usage))],
          ['Turns', String(turns)],
          ['Calls', String(actions)],
          ['Worked', duration(workedMs)],
          ['Of this, the model', duration(usage.modelMs)],
        ]}
      />
      {subtasks.length > 0 && (
        <Scroll kind="scroll-x" label="By subtask">
          <table class="sums">
            <thead>
              <tr>
                <th scope="col">Subtask</th>
                <th scope="col">Tokens</th>
                <th scope="col">Turns</th>
                <th scope="col">Calls</th>
                <th scope="col">Time</th>
              </tr>
            </thead>
            <tbody>
              {subtasks.map(({ id, purpose }) => (
                <SumRow key={id} name={`${id} ${purpose}`} sum={sums[id]} />
              ))}
              <SumRow name="Planning, and what no subtask counts" sum={restOf(work)} />
            </tbody>
          </table>
        </Scroll>
      )}
    </div>
  );
}

function SumRow({ name, sum }: { name: string; sum: Sum | undefined }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{tokenText(sum?.tokens ?? 0)}</td>
      <td>{sum?.turns ?? 0}</td>
      <td>{sum?.actions ?? 0}</td>
      <td>{sum !== undefined && sum.to > sum.from ? duration(sum.to - sum.from) : ''}</td>
    </tr>
  );
}

/** The remainder of the totals outside all subtasks, so that each column adds up. */
function restOf(work: WatchedWork): Sum {
  const sums = Object.values(work.sums);
  const all = (of: (sum: Sum) => number): number => sums.reduce((sum, one) => sum + of(one), 0);
  return {
    ...NO_SUM,
    tokens: Math.max(0, spent(work) - all((sum) => sum.tokens)),
    turns: Math.max(0, work.turns - all((sum) => sum.turns)),
    actions: Math.max(0, work.actions - all((sum) => sum.actions)),
    to: Math.max(0, work.workedMs - all((sum) => sum.to - sum.from)),
  };
}

export const sayCost = (usd: number, unknownTurns: number): string =>
  costText({ cost: { usd, unknownTurns } }) || 'unknown cost';
