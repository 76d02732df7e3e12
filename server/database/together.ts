/**
 * For a transaction's statements that are sent together: like `Promise.all`, but throws the error of the first in this
 * order, because the statements after a failed one fail too.
 */
export async function together<const Work extends readonly unknown[]>(work: Work) {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
  return Promise.all(work)
}
