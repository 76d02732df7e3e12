import { type Fragment, type Part, Query, quoteNames, type Row, type Runner } from './query.ts'
import { Json } from './values.ts'

/** Composes and sends SQL: to a pool, or inside `inTransaction` to the connection of that transaction. */
export interface Sql {
  /** A statement as a template; its values are parameters, and other templates are part of it. */
  <T extends readonly object[] = Row[]>(strings: TemplateStringsArray, ...parts: Part[]): Query<T>
  /** Quoted names, for a template. */
  (names: string | readonly string[]): Fragment
  /** A value as a parameter of type `jsonb`. */
  json(value: unknown): Json
  /** A text without parameters as a part of a template, or as one or more statements. The text must not come from a user. */
  unsafe<T extends readonly object[] = Row[]>(text: string): Query<T>
}

/** A connection of its own, until it is released. */
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
