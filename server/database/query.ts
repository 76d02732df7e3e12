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

/** The rows of a result. `count` is the number of rows that the statement returned or changed. */
export type Result<T extends readonly unknown[]> = T & { readonly count: number }

/** A part of a statement, which is sent as part of another one. */
export type Fragment = Query<Row[]>

/** What a template accepts between its texts. */
export type Part = Value | AnyQuery | readonly AnyQuery[]

// biome-ignore lint/suspicious/noExplicitAny: any type of row
type AnyQuery = Query<any>

export interface Column {
  name: string
  parse: Parse | undefined
}

/** A statement that each connection prepares once; without a name, it is not prepared. */
export interface Statement {
  name: string
  text: string
  /** The declared types of the parameters. Null: only the text is sent, which may be several statements. */
  types: number[] | null
  /** As PostgreSQL last described them; null before that. */
  columns: Column[] | null
}

/** Where a query is sent: to a pool, or to one connection. */
export interface Runner {
  run: (statement: Statement, values: EncodedValue[]) => Promise<Row[]>
  readBatches: (statement: Statement, values: EncodedValue[], rowsMax: number) => AsyncIterable<Row[]>
}

/** A template with its values. It is sent when it is awaited, unless it is part of another one. */
export class Query<T extends readonly object[]> implements Promise<Result<T>> {
  readonly [Symbol.toStringTag] = 'Query'
  /** The texts of a template, or one text without parameters. */
  readonly text: readonly string[] | string
  readonly parts: readonly Part[]
  readonly #runner: Runner
  #result: Promise<Result<T>> | undefined

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

  /** Sends the query now instead of when it is awaited. */
  execute(): this {
    this.#send().catch(() => {})
    return this
  }

  /** Reads the rows in batches. Needs a reserved connection or a transaction. */
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

/** The quoted names, separated by commas. `a.b` is the column `b` of `a`. */
export const quoteNames = (names: string | readonly string[]): string =>
  (typeof names === 'string' ? [names] : names)
    .map((name) => name.split('.').map(escapeIdentifier).join('.'))
    .join(',')

/** A dynamic list has many shapes. Beyond this number, statements are not prepared, so that sessions stay small. */
const PREPARED_MAX = 4000

const statements = new Map<string, Statement>()
/** A number for each template, which stands for its texts. */
const templateNumbers = new WeakMap<readonly string[], number>()
let templateCount = 0

/**
 * The statement of a query, and its values in the order of the parameters. The text is composed once per shape: the
 * templates of the query and its fragments, and the types of the parameters.
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
  if (statements.size >= PREPARED_MAX) return { name: '', text, types, columns: null }
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
