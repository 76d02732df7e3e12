import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildEndpointApp, telegramEndpoint, telegramUpdate } from '../testing/clients/endpoint-app.ts'
import { type ReceivedSpan, startCollector } from '../testing/fakes/otlp-collector.ts'
import { startReceiver } from '../testing/fakes/receiver.ts'
import { buildTestApp } from '../testing/test-app.ts'
import { runSpanId } from './tracing.ts'

const EXTERNAL_TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const TEXT = 'the quarterly figures are secret'
const ANSWER = 'a confidential answer'
const KEY = 'sk-0123456789abcdefghij'

type Collector = Awaited<ReturnType<typeof startCollector>>
type Receiver = Awaited<ReturnType<typeof startReceiver>>

const SERVER = 2
const CLIENT = 3
const ERROR = 2

/** An OpenAI-compatible model that reads the history of the conversation and then answers. */
function answerAsModel(body: string, response: ServerResponse): void {
  const { messages } = JSON.parse(body) as { messages: { role: string }[] }
  const isAnswered = messages.some(({ role }) => role === 'tool')
  const call = { index: 0, id: 'call_1', function: { name: 'read_history', arguments: '{"from":1}' } }
  const delta = isAnswered ? { content: ANSWER } : { tool_calls: [call] }
  const chunk = (choice: object, usage?: object) =>
    `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, ...choice }], usage })}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(chunk({ delta: { role: 'assistant', ...delta } }))
  const usage = { prompt_tokens: 21, completion_tokens: 7, total_tokens: 28 }
  response.end(
    `${chunk({ delta: {}, finish_reason: isAnswered ? 'stop' : 'tool_calls' }, usage)}data: [DONE]\n\n`,
  )
}

describe('telemetry', () => {
  let collector: Collector
  let model: Receiver
  let target: Receiver
  let app: Awaited<ReturnType<typeof buildEndpointApp>>
  beforeAll(async () => {
    collector = await startCollector()
    model = await startReceiver(({ path, body }, response) =>
      path.endsWith('/chat/completions') ? answerAsModel(body, response) : response.end('{"data":[]}'),
    )
    target = await startReceiver()
    app = await buildEndpointApp({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=abc',
        OTEL_BSP_SCHEDULE_DELAY: '20',
        OTEL_METRIC_EXPORT_INTERVAL: '500',
        ATRIUM_PROVIDER_LOCAL_URL: `${new URL(model.url).origin}/v1`,
        ATRIUM_PROVIDER_LOCAL_API_KEY: KEY,
        ATRIUM_PROVIDER_LOCAL_MODELS: 'small',
      },
    })
    await app.app.startWorker()
  })
  afterAll(async () => {
    await app.close()
    await Promise.all([collector.close(), model.close(), target.close()])
  })

  test('one trace leads from a received webhook to its run, steps, tool calls and event delivery', async () => {
    const telegram = await telegramEndpoint(app, { reply: 'auto' }, { model: 'local/small' })
    const hook = await telegram.client.webhooks.create({
      name: 'Results',
      url: `${target.url}?token=in-the-query`,
      events: ['agent.run.completed'],
    })
    const path = new URL(telegram.endpoint.url).pathname
    const response = await app.request('POST', path, {
      headers: { 'x-telegram-bot-api-secret-token': telegram.secret, traceparent: EXTERNAL_TRACEPARENT },
      body: telegramUpdate(1, TEXT),
    })
    expect(response.status).toBe(200)
    const find = (name: RegExp, where: (span: ReceivedSpan) => boolean = () => true) =>
      collector.spans().filter((span) => name.test(span.name) && where(span))
    await expect.poll(() => find(/^deliver webhook/), { timeout: 20_000 }).toHaveLength(1)
    await expect.poll(() => find(/^reply to provider/), { timeout: 20_000 }).toHaveLength(1)
    await expect.poll(() => find(/^invoke_agent/)).toHaveLength(1)

    const [delivery] = find(/^deliver webhook/) as [ReceivedSpan]
    const inTrace = collector.spans().filter(({ traceId }) => traceId === delivery.traceId)
    const byId = new Map(inTrace.map((span) => [span.spanId, span]))
    const pathTo = (span: ReceivedSpan | undefined): string[] =>
      span ? [...pathTo(byId.get(span.parentSpanId ?? '')), span.name] : []
    const stepPath = [
      'POST /api/v1/connectors/webhooks/:provider/:endpointId',
      'process provider event',
      'invoke_agent',
      'process run',
      'run step',
    ]
    expect(pathTo(delivery)).toEqual([...stepPath, 'deliver webhook'])
    const spansNamed = (name: string) => inTrace.filter((span) => span.name === name)
    expect(spansNamed('chat small').map(pathTo)).toEqual([
      [...stepPath, 'chat small'],
      [...stepPath, 'chat small'],
    ])
    expect(spansNamed('execute_tool read_history').map(pathTo)).toEqual([
      [...stepPath, 'execute_tool read_history'],
    ])
    expect(spansNamed('reply to provider').map(pathTo)).toEqual([
      [...stepPath, 'job runs.provider-run-ended', 'reply to provider'],
    ])

    // The trace of an untrusted caller is only linked, and its sampling flag is ignored.
    const [root] = spansNamed(stepPath[0]!) as [ReceivedSpan]
    expect(root).toMatchObject({ kind: SERVER, links: [{ traceId: EXTERNAL_TRACEPARENT.slice(3, 35) }] })
    expect(root.traceId).not.toBe(EXTERNAL_TRACEPARENT.slice(3, 35))
    expect(root.attributes).toMatchObject({ 'http.response.status_code': 200 })

    const runId = (await telegram.events())[0]!.runId!
    const { sessionId } = (await telegram.events())[0]!
    const conversation = { 'gen_ai.agent.id': telegram.agentId, 'gen_ai.conversation.id': sessionId }
    expect(spansNamed('invoke_agent')[0]).toMatchObject({
      spanId: runSpanId(runId),
      attributes: {
        ...conversation,
        'gen_ai.agent.name': 'Helper',
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': 'local',
        'gen_ai.request.model': 'small',
        'atrium.run.status': 'succeeded',
        'atrium.organization.id': telegram.org.id,
      },
    })
    const [first, second] = spansNamed('chat small') as [ReceivedSpan, ReceivedSpan]
    expect(first).toMatchObject({
      kind: CLIENT,
      attributes: {
        ...conversation,
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'local',
        'gen_ai.request.model': 'small',
        'gen_ai.usage.input_tokens': 21,
        'gen_ai.usage.output_tokens': 7,
        'gen_ai.response.finish_reasons': ['tool_calls'],
      },
    })
    expect(second.attributes['gen_ai.response.finish_reasons']).toEqual(['stop'])
    expect(spansNamed('execute_tool read_history')[0]!.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'read_history',
      'gen_ai.tool.call.id': 'call_1',
    })

    const traceparentOf = ({ traceId, spanId }: ReceivedSpan) => `00-${traceId}-${spanId}-01`
    expect(target.requests.map(({ headers }) => headers.traceparent)).toEqual([traceparentOf(delivery)])
    const modelRequests = model.requests.filter(({ path }) => path.endsWith('/chat/completions'))
    expect(modelRequests.map(({ headers }) => headers.traceparent)).toEqual(
      [first, second].map(traceparentOf),
    )

    const secrets = [TEXT, ANSWER, KEY, telegram.secret, hook.secret, 'in-the-query', target.url, path]
    for (const secret of secrets) expect(collector.text()).not.toContain(secret)
    expect(collector.headers()[0]).toMatchObject({ 'x-collector-key': 'abc' })
  })

  test('the /metrics values are sent under the same names', async () => {
    const { text } = await app.request('GET', '/metrics')
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!)
    await expect
      .poll(() => [...new Set(collector.metrics().map(({ name }) => name))].sort(), { timeout: 20_000 })
      .toEqual(names.toSorted())
    const requests = collector
      .metrics()
      .findLast(({ name }) => name === 'atrium_http_request_duration_seconds')
    const [point] = requests.histogram.dataPoints
    expect(requests.unit).toBe('s')
    expect(point.bucketCounts.reduce((sum: number, count: number) => sum + Number(count), 0)).toBe(
      Number(point.count),
    )
  })
})

test('a trusted caller continues its trace, and content is sent if the operator enables it', async () => {
  const collector = await startCollector()
  const app = await buildTestApp({
    env: {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_BSP_SCHEDULE_DELAY: '20',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
      ATRIUM_TRUSTED_TRACES: '127.0.0.0/8, ::1',
    },
  })
  await app.app.startWorker()
  const { person, headers } = await app.newUser({ role: 'owner' })
  const client = app.as({ ...headers, traceparent: EXTERNAL_TRACEPARENT })
  const { id: projectId } = await app.project(person)
  const { id: agentId } = await client.agents.create({ name: 'Echo', model: 'test/echo' })
  const message = { content: `${TEXT} ${KEY}` }
  await client.sessions.create({ projectId, agentId, message })
  await expect
    .poll(() => collector.spans().some(({ name }) => name === 'invoke_agent'), { timeout: 20_000 })
    .toBe(true)
  const chat = collector.spans().find(({ name }) => name.startsWith('chat '))!
  expect(chat.traceId).toBe(EXTERNAL_TRACEPARENT.slice(3, 35))
  expect(chat.attributes['gen_ai.input.messages']).toContain(TEXT)
  expect(chat.attributes['gen_ai.output.messages']).toContain(TEXT)
  expect(collector.text()).not.toContain(KEY)
  const created = collector.spans().find(({ name }) => name === 'POST /api/v1/sessions')
  expect(created!.parentSpanId).toBe(EXTERNAL_TRACEPARENT.slice(36, 52))
  await app.close()
  await collector.close()
})

test('a collector that never answers delays no request: the queue is bounded and drops are counted', async () => {
  const collector = await startCollector()
  collector.stall()
  const app = await buildTestApp({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_BSP_MAX_QUEUE_SIZE: '4',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2',
      OTEL_BSP_SCHEDULE_DELAY: '10',
    },
  })
  const { client } = await app.newUser()
  await client.projects.list({})
  await expect.poll(() => collector.held.length).toBe(1)
  // One batch waits for the collector, and four spans for the batch.
  const heldBefore = collector.held.length
  for (let n = 0; n < 20; n++) await client.projects.list({})
  expect(collector.held.length - heldBefore).toBeLessThan(20)
  const count = async (outcome: string) => {
    const { text } = await app.request('GET', '/metrics')
    return Number(
      new RegExp(`^atrium_trace_spans_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)![1],
    )
  }
  expect(await count('dropped')).toBeGreaterThan(0)
  await expect.poll(() => count('failed')).toBeGreaterThan(0)
  expect(await count('sent')).toBe(0)
  await app.close()
  await collector.close()
})

test("a failed request's span has an error status without the message", async () => {
  const collector = await startCollector()
  const app = await buildTestApp({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_METRICS_EXPORTER: 'none' },
  })
  await app.sql`alter table projects rename to projects_away`
  const { headers } = await app.newUser()
  expect((await app.request('GET', '/api/v1/projects?search=in-the-query', { headers })).status).toBe(500)
  await app.close()
  // A stop sends the remaining spans.
  const span = collector.spans().find(({ name }) => name === 'GET /api/v1/projects')!
  expect(span).toMatchObject({ status: { code: ERROR }, attributes: { 'error.type': '500' } })
  expect(collector.text()).not.toMatch(/in-the-query|projects_away|relation/)
  await collector.close()
})
