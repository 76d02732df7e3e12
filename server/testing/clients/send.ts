import { Agent, request } from 'undici'

/** What Node's `fetch` adds, without compression. */
const FETCH_HEADERS = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
}

interface Init {
  method?: string
  headers?: Record<string, string>
  body?: string | undefined
}

/** Otherwise `request` would use the agent from Node's bundled undici. */
const agent = new Agent()

/** Takes two thirds of `fetch`'s CPU time. Follows no redirects. */
export async function send(url: string, { method = 'GET', headers = {}, body }: Init) {
  const response = await request(url, {
    method: method as 'GET',
    headers: { ...FETCH_HEADERS, ...lowerCase(headers) },
    body: body ?? null,
    dispatcher: agent,
  })
  const text = await response.body.text()
  return { status: response.statusCode, headers: headersOf(response.headers), text }
}

/** `send` for a typed client, which reads the response text. */
export const lightFetch = (async (url: string, init: Init & { signal?: AbortSignal }) => {
  if (init.signal) return fetch(url, init as RequestInit)
  const { status, headers, text } = await send(url, init)
  return { status, ok: status >= 200 && status < 300, headers, text: async () => text }
}) as unknown as typeof fetch

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(received))
    for (const each of Array.isArray(value) ? value : [value!]) headers.append(name, each)
  return headers
}
