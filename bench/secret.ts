export const SECRET = 'the secret of a benchmark, long enough'
