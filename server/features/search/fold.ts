const MARKS = /[\u0300-\u036f]+/g

/** Lower case, without accents. Equal to `search_fold()` in PostgreSQL, which folds the searched texts. */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(MARKS, '').toLowerCase().replaceAll('ß', 'ss')
