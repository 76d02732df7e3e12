import type { Outbound } from '../../../../outbound/outbound.ts'
import type { Answer, ConnectorTool, Pages } from '../definition/definition.ts'
import { type RequestTemplate, type TemplateValue, valueAt } from '../definition/template.ts'
import { type BuiltRequest, buildRequest, type ConnectionTarget } from './build-request.ts'
import type { Failure, ProviderAnswer } from './failure.ts'
import { type RetryOptions, sendWithRetries } from './send-with-retries.ts'

const PAGES_MAX = 10
const BYTES_MAX = 1_048_576

export interface ReadPages {
  value: unknown
  failure: Failure | null
  retryAt: Date | null
  /** The last request and its response. */
  request: BuiltRequest
  answer: ProviderAnswer | null
  attempts: number
  pages: number
}

interface Call {
  tool: ConnectorTool
  template: RequestTemplate
  input: Record<string, unknown>
}

/** At most 10 pages or 1 MB. Without a limit, one page. If a later page fails, returns the items before it. */
export async function readPages(
  outbound: Outbound,
  target: ConnectionTarget,
  { tool, template, input }: Call,
  options: RetryOptions & { idempotencyKey: string },
): Promise<ReadPages> {
  const limit = typeof input.limit === 'number' ? input.limit : null
  const items: unknown[] = []
  let [attempts, pages, bytes, first] = [0, 0, 0, 0]
  let next: RequestTemplate | null = template
  for (;;) {
    const request: BuiltRequest = buildRequest(target, next, input, options.idempotencyKey)
    const sendResult = await sendWithRetries(outbound, target, request, options)
    const { exchange } = sendResult
    const { answer } = exchange
    attempts += sendResult.attempts
    pages += 1
    const outcome = { request, answer, attempts, pages, retryAt: sendResult.retryAt }
    const failure = exchange.ok ? truncationFailure(exchange.answer, tool) : exchange.failure
    if (failure || !answer) {
      if (items.length === 0) return { ...outcome, value: null, failure }
      return { ...outcome, value: { items, hasMore: true, problem: failure!.message }, failure: null }
    }
    const value = shownValue(tool, answer)
    if (!tool.pages || !Array.isArray(value)) return { ...outcome, value, failure: null }
    items.push(...value)
    bytes += answer.bytes.length
    if (pages === 1) first = value.length
    const position = { pages, items: items.length, first, last: value.length }
    const nextTemplate = nextPage(tool.pages, template, answer, position)
    const isSame = nextTemplate !== null && JSON.stringify(nextTemplate) === JSON.stringify(next)
    const isEnough = limit === null || items.length >= limit || pages >= PAGES_MAX || bytes >= BYTES_MAX
    if (nextTemplate === null || isSame || isEnough) {
      const shown = limit === null ? items : items.slice(0, limit)
      const hasMore = (nextTemplate !== null && !isSame) || shown.length < items.length
      return { ...outcome, value: { items: shown, hasMore }, failure: null }
    }
    next = nextTemplate
  }
}

/** For a write this is no failure: it was done. */
function truncationFailure(
  { truncated, body }: ProviderAnswer,
  { effect, answer }: ConnectorTool,
): Failure | null {
  if (
    !truncated ||
    effect !== 'read' ||
    (typeof body === 'string' && answer?.at === undefined && !isJson(body))
  )
    return null
  return {
    means: 'failed',
    code: 'too_large',
    message: 'The answer is larger than 1 MB: ask for less, with a smaller limit or a narrower filter',
  }
}

const isJson = (text: string) => /^\s*[[{]/.test(text)

function shownValue(tool: ConnectorTool, answer: ProviderAnswer): unknown {
  if (tool.answer === undefined || answer.truncated) return shownBody(answer)
  try {
    return extract(tool.answer, answer.body) ?? null
  } catch {
    // The model can still use it.
    return shownBody(answer)
  }
}

interface Position {
  pages: number
  items: number
  first: number
  last: number
}

/** A `link` header contributes only its parameters, so that no response decides where the token is sent. */
function nextPage(
  pages: Pages,
  template: RequestTemplate,
  answer: ProviderAnswer,
  { pages: pagesRead, items, first, last }: Position,
): RequestTemplate | null {
  if (pages.by === 'link') return byLink(template, answer.headers.link)
  if (pages.by === 'cursor') {
    const cursor = valueAt(answer.body, pages.next)
    if ((typeof cursor !== 'string' && typeof cursor !== 'number') || cursor === '') return null
    return 'query' in pages.send
      ? withQuery(template, { [pages.send.query]: cursor })
      : withBody(template, pages.send.body.split('.'), cursor)
  }
  // Shorter than the first: the last page.
  if (last === 0 || last < first) return null
  const position = pages.by === 'page' ? (pages.first ?? 1) + pagesRead : items
  return withQuery(template, { [pages.send.query]: position })
}

function byLink(template: RequestTemplate, link: string | undefined): RequestTemplate | null {
  const next = link?.split(/,\s*(?=<)/).find((part) => /;\s*rel="?([^";]*\s)?next\b/i.test(part))
  const url = /<([^>]*)>/.exec(next ?? '')?.[1]
  if (url === undefined || !URL.canParse(url, 'https://provider.invalid')) return null
  const { searchParams } = new URL(url, 'https://provider.invalid')
  return withQuery(
    template,
    Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)])),
  )
}

const withQuery = (template: RequestTemplate, query: Record<string, TemplateValue>): RequestTemplate => ({
  ...template,
  query: { ...template.query, ...query },
})

/** For GraphQL, the path starts with `variables`. */
function withBody(template: RequestTemplate, path: string[], value: TemplateValue): RequestTemplate {
  const { graphql, form, json } = template
  if (graphql) {
    const variables = setAt(graphql.variables ?? {}, path[0] === 'variables' ? path.slice(1) : path, value)
    return { ...template, graphql: { ...graphql, variables: variables as Record<string, TemplateValue> } }
  }
  if (form) return { ...template, form: { ...form, [path.join('.')]: value } }
  return { ...template, json: setAt(json ?? {}, path, value) }
}

function setAt(target: TemplateValue, [name, ...rest]: string[], value: TemplateValue): TemplateValue {
  if (name === undefined) return value
  const fields =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? target : ({} as const)
  const child = (fields as Record<string, TemplateValue>)[name] ?? {}
  return { ...fields, [name]: setAt(child, rest, value) }
}

function extract(answer: Answer | undefined, body: unknown): unknown {
  if (!answer) return body
  const { at, pick, map } = answer
  const part = at === undefined ? body : valueAt(body, at)
  const picked = pick && typeof part === 'object' && part !== null ? pickFrom(part, pick.map(split)) : part
  return map ? map(picked) : picked
}

const split = (path: string): string[] => path.split('.')

/** In a list, applies to each item. */
function pickFrom(value: unknown, paths: readonly string[][]): unknown {
  if (Array.isArray(value)) return value.map((item) => pickFrom(item, paths))
  if (typeof value !== 'object' || value === null) return value
  const names = [...new Set(paths.map(([name]) => name!))].filter((name) => Object.hasOwn(value, name))
  return Object.fromEntries(
    names.map((name) => {
      const below = paths.filter(([first]) => first === name).map(([, ...rest]) => rest)
      const child = (value as Record<string, unknown>)[name]
      return [name, below.some((rest) => rest.length === 0) ? child : pickFrom(child, below)]
    }),
  )
}

const TEXT_TYPE =
  /^(text\/|application\/([\w.+-]*json|[\w.+-]*xml|javascript|graphql|x-www-form-urlencoded))/i

/** Describes binary content and marks truncation. */
function shownBody({ body, bytes, headers, truncated, status }: ProviderAnswer): unknown {
  if (typeof body !== 'string') return body
  const type = headers['content-type'] ?? ''
  if (body === '') return { status, note: 'The answer is empty' }
  if (!TEXT_TYPE.test(type) && body.includes('\ufffd'))
    return { note: `${type || 'Unknown type'}, ${Math.ceil(bytes.length / 1024)} KB, not shown` }
  return truncated ? { text: body, note: 'The answer is larger than 1 MB; this is its beginning' } : body
}
