/** What everything in a benchmark is sealed with. */
export const SECRET = 'the secret of a benchmark, long enough'
