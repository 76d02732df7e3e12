import { z } from 'zod'
import { ApiError, badRequest } from '../../../../../errors.ts'
import { fence } from '../../../../../language-models/fence.ts'
import type { BufferedResponse } from '../../../../../outbound/outbound.ts'
import { clip } from '../../../../../tools/clip.ts'
import { htmlToText } from '../../../../../tools/html-to-text.ts'
import type { RunTool, RunToolCall } from '../../state/run-tool.ts'

const BYTES_MAX = 2_097_152
const SECONDS_MAX = 20
const REDIRECTS_MAX = 5
const TEXT_BYTES = 32_000
const HEADERS = {
  accept: 'text/html, text/plain, application/json;q=0.9, text/*;q=0.8',
  'user-agent': 'Atrium agent',
}

const input = z.strictObject({
  url: z.string().min(1).max(4000).describe('http or https'),
  offset: z.int().min(0).default(0).describe('`nextOffset` from the previous part'),
})

export const webFetch: RunTool<z.output<typeof input>> = {
  name: 'web_fetch',
  description:
    'Read a public web page or API response as text. Use it for a URL that a person or an earlier result names. Long pages come in parts.',
  input,
  effect: 'read',
  // A URL can leak run data. Requires approval unless a member named the host and the run has read nothing untrusted.
  risk: ({ url }, { trust, namedHosts }) =>
    trust === 'trusted' && namedHosts?.has(hostOf(url)) ? 'none' : 'send',
  isOutside: true,
  grantName: ({ url }) => (URL.canParse(url) ? `web_fetch ${new URL(url).host}` : 'web_fetch'),
  hostIn: ({ url }) => hostOf(url),
  summarize: ({ url }) => `Send a request to ${url}`,
  async run(call, { url, offset }) {
    const page = await fetchPage(call, url)
    const { title, text } = readableOf(page)
    const part = clip(text, TEXT_BYTES, offset)
    return {
      source: page.url,
      ...(page.response.truncated && { note: 'The page is larger than 2 MB: the rest is missing' }),
      content: fence(title && offset === 0 ? `# ${title}\n\n${part.text}` : part.text, page.url),
      ...(part.next !== null && { nextOffset: part.next }),
    }
  },
}

/** Lowercase ASCII without the port. Empty for an invalid URL, which the call refuses. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : '')

interface Page {
  url: string
  mediaType: string
  charset: string
  response: BufferedResponse
}

/** One by one, so that the guarded client checks each target. */
async function fetchPage(
  { outbound, signal }: Pick<RunToolCall, 'outbound' | 'signal'>,
  first: string,
): Promise<Page> {
  const endsAt = performance.now() + SECONDS_MAX * 1000
  let url = first
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    signal.throwIfAborted()
    const timeoutMs = Math.max(1, Math.round(endsAt - performance.now()))
    const outcome = await outbound.request({
      method: 'GET',
      url,
      headers: HEADERS,
      timeoutMs,
      bytesMax: BYTES_MAX,
    })
    if (outcome.kind === 'failure') throw failed(first, outcome.error)
    const { response } = outcome
    const { location } = response.headers
    if (response.status >= 300 && response.status < 400 && location !== undefined) {
      if (!URL.canParse(location, url)) throw failed(first, 'It redirects to an invalid URL')
      url = new URL(location, url).href
      continue
    }
    if (response.status >= 400) throw failed(first, `The server responded with ${response.status}`)
    return { url, response, ...typeOf(response, first) }
  }
  throw failed(first, `It redirects more than ${REDIRECTS_MAX} times`)
}

/** A redirect target or header would bring untrusted text past the fence. */
const failed = (url: string, reason: string) =>
  new ApiError('PROVIDER_ERROR', `${url.slice(0, 300)} could not be read. ${reason}`)

const MEDIA_TYPE = /^(application|audio|font|image|model|multipart|text|video)\/[\w.+-]{1,60}$/

const READABLE =
  /^(text\/[\w.+-]+|application\/(json|xml|xhtml\+xml|javascript|yaml|toml|[\w.+-]+\+(json|xml)))$/

function typeOf({ headers, body }: BufferedResponse, url: string): Pick<Page, 'mediaType' | 'charset'> {
  const [given = '', ...parameters] = (headers['content-type'] ?? 'text/plain').split(';')
  const mediaType = given.trim().toLowerCase()
  const isBinary = body.subarray(0, 8192).includes(0)
  if (!READABLE.test(mediaType) || isBinary)
    throw badRequest(
      `${url.slice(0, 300)} is ${MEDIA_TYPE.test(mediaType) ? mediaType : 'of an unknown type'}, not text`,
    )
  const charset = parameters.find((parameter) => /^\s*charset=/i.test(parameter))?.split('=')[1]
  return { mediaType, charset: charset?.replaceAll(/["'\s]/g, '') ?? 'utf-8' }
}

function readableOf({ url, mediaType, charset, response }: Page): { title: string; text: string } {
  const text = decoderFor(charset).decode(response.body)
  const isHtml = mediaType === 'text/html' || mediaType === 'application/xhtml+xml'
  return isHtml ? htmlToText(text, url) : { title: '', text }
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}
