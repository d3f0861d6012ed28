// How a decision came about, step by step: loaded when somebody asks why.

import { stepsOf } from '../preview/steps.js';
import { stepsTable } from '../preview/table.js';

/** The steps of an explanation as the server tells it. */
export const steps = stepsOf;
/** The steps of the sides, side by side. */
export const table = stepsTable;
