import type { Fragment, Sql } from './database.ts'

/** As in responses: ISO 8601, UTC, with milliseconds. */
export const isoTime = (sql: Sql, column: Fragment): Fragment =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` as Fragment

/** Fields keep the columns' names and order. */
export const jsonRow = (sql: Sql, columns: Fragment): Fragment =>
  sql`(select row_to_json(fields)::text from (select ${columns}) fields)` as Fragment

/** The value may be null. */
export const jsonValue = (sql: Sql, value: Fragment): Fragment =>
  sql`coalesce(to_json(${value})::text, 'null')` as Fragment

/** The timestamp may be null. */
export const jsonTime = (sql: Sql, column: Fragment): Fragment =>
  sql`coalesce('"' || ${isoTime(sql, column)} || '"', 'null')` as Fragment
