import type { Outbound } from '../../../../outbound/outbound.ts'
import type { ConnectorTool } from '../definition/definition.ts'
import type { RequestTemplate } from '../definition/request-template.ts'
import type { ProviderAnswer } from './answer.ts'
import { buildRequest } from './build-request.ts'
import { extract } from './extract.ts'
import type { Failure } from './failure.ts'
import { nextPage } from './next-page.ts'
import { type RetryOptions, sendWithRetries } from './send-with-retries.ts'
import { shownBody } from './shown-body.ts'
import type { BuiltRequest, ConnectionTarget } from './target.ts'

const PAGES_MAX = 10
const BYTES_MAX = 1_048_576

export interface ReadPages {
  value: unknown
  failure: Failure | null
  retryAt: Date | null
  /** The last request and its answer. */
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

/**
 * Reads pages until there are as many items as `limit` of the input requests, at most 10 pages or 1 MB. Without a
 * limit, one page. If a later page fails, the items before it are returned.
 */
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

/** A truncated JSON document cannot be read. For a call that changes something this is no failure: it was done. */
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
    // The answer does not have the form of the definition. The model can still use it.
    return shownBody(answer)
  }
}
