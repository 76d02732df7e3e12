import type { ServerResponse } from 'node:http'
import { startReceiver } from './receiver.ts'

/** OTLP/JSON, with attributes as plain values. */
export interface ReceivedSpan {
  name: string
  kind: number
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  status: { code?: number }
}

interface OtlpAttribute {
  key: string
  value: {
    stringValue?: string
    intValue?: number | string
    doubleValue?: number
    boolValue?: boolean
    arrayValue?: { values: OtlpAttribute['value'][] }
  }
}

type OtlpSpan = Omit<ReceivedSpan, 'attributes' | 'links'> & {
  attributes: OtlpAttribute[]
  links?: ReceivedSpan['links']
}

export async function startCollector() {
  let isStalled = false
  const held: ServerResponse[] = []
  const receiver = await startReceiver((_request, response) => {
    if (isStalled) held.push(response)
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const bodies = (path: string) =>
    receiver.requests.filter((request) => request.path === path).map(({ body }) => JSON.parse(body))
  return {
    url: new URL(receiver.url).origin,
    headers: () => receiver.requests.map(({ headers }) => headers),
    spans: (): ReceivedSpan[] =>
      bodies('/v1/traces').flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: OtlpSpan[] }[] }) =>
          scopeSpans.flatMap(({ spans }) => spans.map(decode)),
        ),
      ),
    /** To check for texts that must not be sent. */
    text: () => receiver.requests.map(({ body }) => body).join('\n'),
    // biome-ignore lint/suspicious/noExplicitAny: metrics of every kind, which the test asserts on
    metrics: (): any[] =>
      bodies('/v1/metrics').flatMap(({ resourceMetrics }) =>
        resourceMetrics.flatMap(({ scopeMetrics }: { scopeMetrics: { metrics: unknown[] }[] }) =>
          scopeMetrics.flatMap(({ metrics }) => metrics),
        ),
      ),
    /** Accepts requests from now on but answers none. */
    stall: () => {
      isStalled = true
    },
    held,
    close: receiver.close,
  }
}

const decode = ({ attributes, links = [], ...span }: OtlpSpan): ReceivedSpan => ({
  ...span,
  links,
  attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)])),
})

function plainValue({
  stringValue,
  intValue,
  doubleValue,
  boolValue,
  arrayValue,
}: OtlpAttribute['value']): unknown {
  if (arrayValue) return arrayValue.values.map(plainValue)
  return stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue))
}
