const MARKS = /[\u0300-\u036f]+/g

/** Lower case, without accents. The twin of `search_fold()` in PostgreSQL, which folds what is searched. */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(MARKS, '').toLowerCase().replaceAll('ß', 'ss')
