/** The server secret of all benchmark programs. */
export const SECRET = 'the secret of a benchmark, long enough'
