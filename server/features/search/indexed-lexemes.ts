import type { Fragment, Sql } from '../../database/database.ts'

/** The prefix of every word of an organization in the index of words, as in `search_indexed_lexemes()`. */
const prefixOf = (orgId: string) => orgId.slice(-8)

/** The indexed words of the entry `e`. */
export const indexedLexemes = (sql: Sql): Fragment => sql`search_indexed_lexemes(e.org_id, e.tsv)`

/** The lexeme of a word, for a tsquery of the index. */
export const indexedLexeme = (orgId: string, lexeme: string): string => `'${prefixOf(orgId)}${lexeme}'`

/**
 * A tsquery for the index, with a prefix before each word. The index has no positions, so a phrase matches its words
 * only.
 */
export const indexedQuery = (sql: Sql, orgId: string, words: Fragment, sign = ''): Fragment => sql`
  regexp_replace(regexp_replace((${words})::text, ' <(-|\\d+)> ', ' & ', 'g'),
    '''([^'']+)''', ${indexedLexeme(orgId, `${sign}\\1`)}, 'g')::tsquery`
