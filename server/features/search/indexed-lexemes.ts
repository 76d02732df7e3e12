import type { Fragment, Sql } from '../../database/database.ts'

/** What begins every word of an organization in the index of words, as in `search_indexed_lexemes()`. */
const prefixOf = (orgId: string) => orgId.slice(-8)

/** The words of the entry `e` that the index has. */
export const indexedLexemes = (sql: Sql): Fragment => sql`search_indexed_lexemes(e.org_id, e.tsv)`

/** The lexeme of a word, for a tsquery of the index. */
export const indexedLexeme = (orgId: string, lexeme: string): string => `'${prefixOf(orgId)}${lexeme}'`

/** A tsquery as one of the index, with a sign before each word. The index has no positions: of a phrase, it finds the words. */
export const indexedQuery = (sql: Sql, orgId: string, words: Fragment, sign = ''): Fragment => sql`
  regexp_replace(regexp_replace((${words})::text, ' <(-|\\d+)> ', ' & ', 'g'),
    '''([^'']+)''', ${indexedLexeme(orgId, `${sign}\\1`)}, 'g')::tsquery`
