import { escapeIdentifier } from 'pg'
import {
  type EncodedValue,
  encodeValue,
  PARAMETER_TYPES,
  type Parse,
  parameterType,
  type Value,
} from './values.ts'

// biome-ignore lint/suspicious/noExplicitAny: a row without a declared type
export type Row = Record<string, any>

/** `count` is the number of rows returned or changed. */
export type Result<T extends readonly unknown[]> = T & { readonly count: number }

/** Sent as part of another statement. */
export type Fragment = Query<Row[]>

/** What a template accepts between its texts. */
export type Part = Value | AnyQuery | readonly AnyQuery[]

// biome-ignore lint/suspicious/noExplicitAny: any type of row
type AnyQuery = Query<any>

export interface Column {
  name: string
  parse: Parse | undefined
}

/** Each connection prepares it once. Without a name, it isn't prepared. */
export interface Statement {
  name: string
  text: string
  /** Declared parameter types. Null: only the text is sent, which may be several statements. */
  types: number[] | null
  /** As PostgreSQL last described them. Null before that. */
  columns: Column[] | null
}

export interface Runner {
  run: (statement: Statement, values: EncodedValue[]) => Promise<Row[]>
  readBatches: (statement: Statement, values: EncodedValue[], rowsMax: number) => AsyncIterable<Row[]>
}

/** A template with its values. Sent when awaited, unless it's part of another. */
export class Query<T extends readonly object[]> implements Promise<Result<T>> {
  readonly [Symbol.toStringTag] = 'Query'
  /** A template's texts, or one text without parameters. */
  readonly text: readonly string[] | string
  readonly parts: readonly Part[]
  readonly #runner: Runner
  #result: Promise<Result<T>> | undefined
  isPrepared = true

  constructor(runner: Runner, text: readonly string[] | string, parts: readonly Part[]) {
    this.#runner = runner
    this.text = text
    this.parts = parts
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a query sends it
  then<A = Result<T>, B = never>(
    onResult?: ((result: Result<T>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#send().then(onResult, onError)
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<Result<T> | B> {
    return this.#send().catch(onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Result<T>> {
    return this.#send().finally(onEnd)
  }

  /** For a statement with many shapes, such as a filter by its caller: sessions keep no plan of it. */
  unprepared(): this {
    this.isPrepared = false
    return this
  }

  /** Sends the query now instead of when awaited. */
  execute(): this {
    this.#send().catch(() => {})
    return this
  }

  /** Needs a reserved connection or a transaction. */
  cursor(rowsMax: number): AsyncIterable<T> {
    const { statement, values } = compile(this)
    return this.#runner.readBatches(statement, values, rowsMax) as AsyncIterable<never>
  }

  #send(): Promise<Result<T>> {
    this.#result ??= this.#start() as Promise<never>
    return this.#result
  }

  async #start(): Promise<Row[]> {
    const { statement, values } = compile(this)
    return this.#runner.run(statement, values)
  }
}

/** Comma-separated. `a.b` is column `b` in `a`. */
export const quoteNames = (names: string | readonly string[]): string =>
  (typeof names === 'string' ? [names] : names)
    .map((name) => name.split('.').map(escapeIdentifier).join('.'))
    .join(',')

/** Dynamic lists have many shapes. Beyond this, statements aren't prepared, so sessions stay small. */
const PREPARED_MAX = 4000

const statements = new Map<string, Statement>()
/** Each template's number stands for its texts. */
const templateNumbers = new WeakMap<readonly string[], number>()
let templateCount = 0

/**
 * Values are in parameter order. The text is composed once per shape: the query's and fragments' templates, and the
 * parameter types.
 */
function compile(query: AnyQuery): { statement: Statement; values: EncodedValue[] } {
  const values: EncodedValue[] = []
  const shape = addShape('', query, values)
  return { statement: statements.get(shape) ?? compose(shape, query), values }
}

function addShape(before: string, { text, parts }: AnyQuery, values: EncodedValue[]): string {
  let shape = typeof text === 'string' ? `${before}"${text}"` : before + templateNumber(text)
  for (const part of parts) {
    if (part instanceof Query) shape = `${addShape(`${shape}(`, part, values)})`
    else if (isList(part)) {
      for (const fragment of part) shape = `${addShape(`${shape}[`, fragment, values)}]`
      shape += ';'
    } else {
      values.push(encodeValue(part))
      shape += parameterType(part)
    }
  }
  return shape
}

const isList = (part: unknown): part is readonly AnyQuery[] => Array.isArray(part) && part[0] instanceof Query

function templateNumber(strings: readonly string[]): number {
  const existing = templateNumbers.get(strings)
  if (existing !== undefined) return existing
  templateCount++
  templateNumbers.set(strings, templateCount)
  return templateCount
}

function compose(shape: string, query: AnyQuery): Statement {
  if (typeof query.text === 'string') return { name: '', text: query.text, types: null, columns: null }
  const types: number[] = []
  const text = composeText(query, types)
  if (!query.isPrepared || statements.size >= PREPARED_MAX) return { name: '', text, types, columns: null }
  const statement: Statement = { name: `s${statements.size}`, text, types, columns: null }
  statements.set(shape, statement)
  return statement
}

function composeText({ text, parts }: AnyQuery, types: number[]): string {
  if (typeof text === 'string') return text
  let composed = text[0]!
  for (const [index, part] of parts.entries()) {
    if (part instanceof Query) composed += composeText(part, types)
    else if (isList(part)) composed += part.map((fragment) => composeText(fragment, types)).join(' ')
    else composed += `$${types.push(PARAMETER_TYPES[parameterType(part)])}`
    composed += text[index + 1]!
  }
  return composed
}
