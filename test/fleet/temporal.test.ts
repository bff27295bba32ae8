import { ON_TEMPORAL } from '../support/fleet-engines.ts';
import { describeFleet } from './on-engine.ts';

describeFleet(ON_TEMPORAL);
