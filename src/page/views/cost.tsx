/** Tokens, money and time: of all, and of each subtask. */
import { dollars, duration, plural, spent, tokens } from '../fold/words.ts';
import type { Work } from '../fold/work.ts';
import { Facts, Scroll } from './parts.tsx';

export function CostView({ work }: { work: Work }) {
  const { usage, costUsd, unpricedTurns, turns, actions, workedMs, sums, plan } = work;
  const subtasks = plan?.tasks.flatMap((task) => task.subtasks) ?? [];
  return (
    <div class="cost">
      <Facts
        rows={[
          ['Cost', sayCost(costUsd, unpricedTurns)],
          ['Tokens', tokens(spent(work))],
          ['Read', tokens(usage.input)],
          ['Read from a cache', tokens(usage.cacheRead)],
          ['Put into a cache', tokens(usage.cacheWrite)],
          ['Written', tokens(usage.output)],
          ['Turns', String(turns)],
          ['Calls', String(actions)],
          ['Worked', duration(workedMs)],
          ['Of this, for the model', duration(usage.modelMs)],
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
              {subtasks.map(({ id, purpose }) => {
                const sum = sums[id];
                return (
                  <tr key={id}>
                    <th scope="row">
                      {id} {purpose}
                    </th>
                    <td>{tokens(sum?.tokens ?? 0)}</td>
                    <td>{sum?.turns ?? 0}</td>
                    <td>{sum?.actions ?? 0}</td>
                    <td>{sum ? duration(sum.to - sum.from) : ''}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Scroll>
      )}
    </div>
  );
}

export const sayCost = (costUsd: number, unpriced: number): string =>
  unpriced === 0
    ? dollars(costUsd)
    : `${dollars(costUsd)} and ${plural(unpriced, 'turn')} at a price nobody knows`;
