import { ApiError, badRequest } from '../../../../../errors.ts'
import type { BufferedResponse } from '../../../../../outbound/outbound.ts'
import type { RunToolCall } from '../../state/run-tool.ts'
import { mayRead, notAllowed } from '../../web/domains.ts'

/** A PDF is read as a whole. Text beyond `TEXT_BYTES_MAX` is left out. */
const BYTES_MAX = 10_485_760
const TEXT_BYTES_MAX = 2_097_152
const SECONDS_MAX = 20
const REDIRECTS_MAX = 5
const HEADERS = {
  accept: 'text/html, text/plain, application/pdf, application/json;q=0.9, text/*;q=0.8',
  'user-agent': 'Atrium agent',
}

export interface FetchedPage {
  url: string
  mediaType: string
  /** Null if the server doesn't say. */
  charset: string | null
  body: Buffer
  isTruncated: boolean
}

/** Redirects one by one, so that the guarded client checks each target. */
export async function fetchPage(
  { outbound, signal, web }: Pick<RunToolCall, 'outbound' | 'signal' | 'web'>,
  first: string,
): Promise<FetchedPage> {
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
      if (!mayRead(web.domains, url)) throw notAllowed('The page that it redirects to')
      continue
    }
    if (response.status >= 400) throw failed(first, `The server responded with ${response.status}`)
    return { url, ...bodyOf(response, first) }
  }
  throw failed(first, `It redirects more than ${REDIRECTS_MAX} times`)
}

/** A redirect target or header would bring untrusted text past the fence. */
export const failed = (url: string, reason: string) =>
  new ApiError('PROVIDER_ERROR', `${url.slice(0, 300)} could not be read. ${reason}`)

const MEDIA_TYPE = /^(application|audio|font|image|model|multipart|text|video)\/[\w.+-]{1,60}$/

const READABLE =
  /^(text\/[\w.+-]+|application\/(json|xml|xhtml\+xml|javascript|yaml|toml|[\w.+-]+\+(json|xml)))$/

function bodyOf({ headers, body, truncated }: BufferedResponse, url: string): Omit<FetchedPage, 'url'> {
  const [given = '', ...parameters] = (headers['content-type'] ?? 'text/plain').split(';')
  const mediaType = given.trim().toLowerCase()
  if (mediaType === 'application/pdf') {
    if (truncated) throw failed(url, 'The PDF is larger than 10 MB')
    return { mediaType, charset: null, body, isTruncated: false }
  }
  const isBinary = body.subarray(0, 8192).includes(0)
  if (!READABLE.test(mediaType) || isBinary)
    throw badRequest(
      `${url.slice(0, 300)} is ${MEDIA_TYPE.test(mediaType) ? mediaType : 'of an unknown type'}, not text`,
    )
  const charset = parameters.find((parameter) => /^\s*charset=/i.test(parameter))?.split('=')[1]
  return {
    mediaType,
    charset: charset?.replaceAll(/["'\s]/g, '') || null,
    body: body.subarray(0, TEXT_BYTES_MAX),
    isTruncated: body.length > TEXT_BYTES_MAX,
  }
}
