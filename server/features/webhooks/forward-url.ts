import type { Context } from '../../context.ts'
import { badField } from '../../errors.ts'

const RECEIVE_PATH = /^\/api\/v1\/webhooks\/(receive\/[^/]+|linear)\/?$/

/** The URL to forward to. Null for none; a receive URL of this server means none too, since it would form a cycle. */
export async function validateForwardUrl(
  { origin, outbound }: Pick<Context, 'origin' | 'outbound'>,
  url: string | null | undefined,
): Promise<string | null> {
  if (!url || isReceiveUrl(url, origin.baseUrl)) return null
  const problem = await outbound.checkUrl(url)
  if (problem) throw badField('body.url', problem)
  return new URL(url).href
}

function isReceiveUrl(url: string, baseUrl: string): boolean {
  if (!URL.canParse(url)) return false
  const { host, pathname } = new URL(url)
  return host === new URL(baseUrl).host && RECEIVE_PATH.test(pathname)
}
