// Weights of variants: those that are fixed keep theirs, the others share what is left, in thousandths. Pure.

/** All weights together. */
export const WHOLE = 1000;

/** The variants with their weights; the first of those that share gets what does not divide. */
export function distributed(variants) {
  const fixed = variants.filter((one) => one.weightType === 'fix').reduce((sum, one) => sum + one.weight, 0);
  const sharing = variants.filter((one) => one.weightType !== 'fix').length;
  const left = Math.max(0, WHOLE - fixed);
  let rest = sharing ? left % sharing : 0;
  return variants.map((one) => {
    if (one.weightType === 'fix') return one;
    const extra = rest > 0 ? 1 : 0;
    rest -= extra;
    return { ...one, weight: Math.floor(left / sharing) + extra };
  });
}

/** What is wrong with the weights: too much is fixed, or nothing is left to share. */
export function faultOf(variants) {
  if (!variants.length) return null;
  const fixed = variants.filter((one) => one.weightType === 'fix').reduce((sum, one) => sum + one.weight, 0);
  if (fixed > WHOLE) return 'over';
  return variants.every((one) => one.weightType === 'fix') ? 'noneShares' : null;
}
