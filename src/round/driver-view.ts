import { plannableOf } from '../decompose/plan-schema.ts';
import type { Driver, DriverView } from '../drivers/driver.ts';
import { driverOf } from '../drivers/driver-of.ts';
import { visibleWorld } from './files/world.ts';
import type { RunPorts } from './run-ports.ts';

export type ViewPort = Pick<
  RunPorts,
  'context' | 'world' | 'installed' | 'tools' | 'names' | 'policy'
>;

export const driverIn = ({ context }: Pick<RunPorts, 'context'>): Driver =>
  driverOf(context.state.settings);

/** What a driver may see of a run. */
export const driverViewOf = ({
  context,
  world,
  installed,
  tools,
  names,
  policy,
}: ViewPort): DriverView => ({
  state: context.state,
  world: visibleWorld(world, context.state.goal, (path) => policy.mayShow(path)),
  installed,
  names,
  plannable: plannableOf(tools).map(({ name }) => name),
  outputAt(offset) {
    const record = context.readAny(offset);
    const text =
      record.type === 'action_finished'
        ? record.result
        : record.type === 'check_ran'
          ? record.text
          : '';
    return typeof text === 'string' ? text : '';
  },
});
