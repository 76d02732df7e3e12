import { sha256 } from '../security/digest.ts'
import { isSameTag } from '../security/hmac.ts'

/** Names are lowercase. */
export type Headers = Readonly<Record<string, string>>

export interface SignedRequest {
  url: string
  headers: Headers
  body: Uint8Array
}

export function firstHeader(headers: Headers, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = headers[name]
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

/** Senders behind a proxy sign the URL with or without its port. */
export function urlVariants(url: string): string[] {
  const parts = /^((?:http|ws)(s?):\/\/(?:[^/?#:]+|\[[^\]]*\]))(?::\d+)?([/?#].*)?$/.exec(url)
  if (!parts) return [url]
  const [, origin, secure, rest = ''] = parts
  return [...new Set([url, `${origin}${rest}`, `${origin}:${secure ? 443 : 80}${rest}`])]
}

/** Undefined if the signature wouldn't cover the body. */
export function formText({ url, headers, body }: SignedRequest): string | undefined {
  const digest = URL.canParse(url) ? new URL(url).searchParams.get('bodySHA256') : null
  if (digest !== null) return isDigestOf(digest, body) ? '' : undefined
  if (body.length === 0) return ''
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) return undefined
  const parameters = new URLSearchParams(Buffer.from(body).toString())
  return [...new Set(parameters.keys())]
    .sort()
    .flatMap((name) => [...new Set(parameters.getAll(name))].sort().map((value) => name + value))
    .join('')
}

const isDigestOf = (digest: string, body: Uint8Array): boolean =>
  isSameTag(Buffer.from(digest, 'hex'), sha256(body))

export function bodyField(body: Uint8Array, name: string): unknown {
  try {
    return (JSON.parse(Buffer.from(body).toString()) as Record<string, unknown> | null)?.[name]
  } catch {
    return undefined
  }
}
