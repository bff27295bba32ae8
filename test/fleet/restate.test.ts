import { ON_RESTATE } from '../support/fleet-engines.ts';
import { describeFleet } from './on-engine.ts';

describeFleet(ON_RESTATE);
