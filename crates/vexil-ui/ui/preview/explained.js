// Explains the chosen cell of a matrix once somebody sees the panel for it, or chooses a cell: what explains is loaded then.

import { fill } from '../core/element.js';
import { problem } from '../core/notice.js';
import { load } from '../core/router.js';

/** How much of the panel must be seen. */
const SEEN = '0px 0px -120px';

/** `still` settles once nothing above will move the panel any more: what is seen before that is not what somebody looks at. */
export function explained(why, source, set, still) {
  let wanted = null, drawn = null, begun = false;
  async function begin() {
    if (begun) return;
    begun = true;
    try {
      drawn = (await load('why')).drawExplanation(why, source, set);
      if (wanted) drawn.show(...wanted);
    } catch (error) {
      begun = false;
      fill(why, problem(error, begin));
    }
  }
  const watching = new IntersectionObserver((seen) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    watching.disconnect();
    begin();
  }, { rootMargin: SEEN });
  return {
    /** Shows why; `chosen` says that a person chose the cell. */
    show(flag, column, grid, wait, chosen) {
      if (!wanted && !source.waits) still.then(() => watching.observe(why));
      wanted = [flag, column, grid, wait];
      if (drawn) drawn.show(...wanted);
      else if (chosen) begin();
    },
    /** Whether a cell is explained, or about to be. */
    isShown: () => begun,
  };
}
