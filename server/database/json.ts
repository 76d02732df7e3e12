import type { Fragment, Sql } from './database.ts'

/** A timestamp as responses contain it: ISO 8601, UTC, with milliseconds. */
export const isoTime = (sql: Sql, column: Fragment): Fragment =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` as Fragment

/** A row of `columns` as a JSON object. The fields have the names and the order of the columns. */
export const jsonRow = (sql: Sql, columns: Fragment): Fragment =>
  sql`(select row_to_json(fields)::text from (select ${columns}) fields)` as Fragment

/** A value that may be null as JSON. */
export const jsonValue = (sql: Sql, value: Fragment): Fragment =>
  sql`coalesce(to_json(${value})::text, 'null')` as Fragment

/** A timestamp that may be null as JSON. */
export const jsonTime = (sql: Sql, column: Fragment): Fragment =>
  sql`coalesce('"' || ${isoTime(sql, column)} || '"', 'null')` as Fragment
