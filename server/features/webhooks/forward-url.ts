import type { Context } from '../../context.ts'
import { badField } from '../../errors.ts'

const RECEIVER = /^\/api\/v1\/webhooks\/(receive\/[^/]+|linear)\/?$/

/** Where to forward to; null for nowhere, which is also what an address of a receiver of this server means. */
export async function targetOf(
  { origin, outbound }: Pick<Context, 'origin' | 'outbound'>,
  url: string | null | undefined,
): Promise<string | null> {
  if (!url || isOwnReceiver(url, origin.baseUrl)) return null
  const problem = await outbound.checkUrl(url)
  if (problem) throw badField('body.url', problem)
  return new URL(url).href
}

function isOwnReceiver(url: string, baseUrl: string): boolean {
  if (!URL.canParse(url)) return false
  const { host, pathname } = new URL(url)
  return host === new URL(baseUrl).host && RECEIVER.test(pathname)
}
