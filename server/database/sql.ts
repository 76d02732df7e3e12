import { type Fragment, type Part, Query, quoteNames, type Row, type Runner } from './query.ts'
import { Json } from './values.ts'

/** Sends to a pool, or inside `inTransaction` to its connection. */
export interface Sql {
  /** Values become parameters. Nested templates become part of the statement. */
  <T extends readonly object[] = Row[]>(strings: TemplateStringsArray, ...parts: Part[]): Query<T>
  (names: string | readonly string[]): Fragment
  json(value: unknown): Json
  /** Part of a template, or one or more statements, without parameters. Must not come from a user. */
  unsafe<T extends readonly object[] = Row[]>(text: string): Query<T>
}

/** Keeps its connection until released. */
export interface ReservedSql extends Sql {
  release(): void
}

export function createSql(runner: Runner): Sql {
  const compose = (first: TemplateStringsArray | string | readonly string[], ...parts: Part[]) =>
    isTemplate(first) ? new Query(runner, first, parts) : new Query(runner, quoteNames(first), [])
  return Object.assign(compose as Sql, {
    json: (value: unknown) => new Json(value),
    unsafe: (text: string) => new Query<never>(runner, text, []),
  }) as Sql
}

const isTemplate = (
  first: TemplateStringsArray | string | readonly string[],
): first is TemplateStringsArray => typeof first === 'object' && 'raw' in first
