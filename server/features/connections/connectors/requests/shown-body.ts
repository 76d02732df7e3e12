import type { ProviderAnswer } from './answer.ts'

const TEXT_TYPE =
  /^(text\/|application\/([\w.+-]*json|[\w.+-]*xml|javascript|graphql|x-www-form-urlencoded))/i

/** The body as a model reads it: binary content is described, and a truncated answer is marked as such. */
export function shownBody({ body, bytes, headers, truncated, status }: ProviderAnswer): unknown {
  if (typeof body !== 'string') return body
  const type = headers['content-type'] ?? ''
  if (body === '') return { status, note: 'The answer is empty' }
  if (!TEXT_TYPE.test(type) && body.includes('\ufffd'))
    return { note: `${type || 'Unknown type'}, ${Math.ceil(bytes.length / 1024)} KB, not shown` }
  return truncated ? { text: body, note: 'The answer is larger than 1 MB; this is its beginning' } : body
}
