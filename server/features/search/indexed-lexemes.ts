import type { Fragment, Sql } from '../../database/database.ts'

/** Prefixes every indexed word, as in `search_indexed_lexemes()`. */
const prefixOf = (orgId: string) => orgId.slice(-8)

export const indexedLexemes = (sql: Sql): Fragment => sql`search_indexed_lexemes(e.org_id, e.tsv)`

export const indexedLexeme = (orgId: string, lexeme: string): string => `'${prefixOf(orgId)}${lexeme}'`

/** Prefixes each word. The index has no positions, so a phrase matches only its words. */
export const indexedQuery = (sql: Sql, orgId: string, words: Fragment, sign = ''): Fragment => sql`
  regexp_replace(regexp_replace((${words})::text, ' <(-|\\d+)> ', ' & ', 'g'),
    '''([^'']+)''', ${indexedLexeme(orgId, `${sign}\\1`)}, 'g')::tsquery`
