import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RecordedRequest {
  method: string
  path: string
  query: Record<string, string | string[]>
  headers: Record<string, string>
  /** Parsed if it is JSON or a form. */
  body: unknown
}

export interface RecordedAnswer {
  status?: number
  headers?: Record<string, string>
  json: unknown
}

/** Ignores client rejections after the first request, because the responses aren't the provider's. */
export async function recordRequests(
  run: (url: string) => Promise<unknown>,
  answer: (request: RecordedRequest) => RecordedAnswer = () => ({ json: {} }),
): Promise<RecordedRequest[]> {
  const recorded: RecordedRequest[] = []
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming)
    recorded.push(request)
    const { status = 200, headers, json } = answer(request)
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof json === 'string' ? json : JSON.stringify(json))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } catch (error) {
    if (recorded.length === 0) throw error
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return recorded
}

async function readRequest(incoming: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  )
  return {
    method: incoming.method ?? '',
    // Clients disagree on encoding these, but the provider reads the same path.
    path: url.pathname.replace(/%(21|27|28|29|2A)/gi, decodeURIComponent),
    query: fieldsOf(url.searchParams),
    headers,
    body: parse(Buffer.concat(chunks).toString('utf8'), headers['content-type'] ?? ''),
  }
}

function parse(text: string, contentType: string): unknown {
  if (text === '') return null
  if (/[/+]json\b/.test(contentType)) return JSON.parse(text)
  return contentType.startsWith('application/x-www-form-urlencoded')
    ? fieldsOf(new URLSearchParams(text))
    : text
}

function fieldsOf(parameters: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(parameters.keys())].sort().map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length > 1 ? values : values[0]!]
    }),
  )
}
