import type { PublicContext } from '../../../context.ts'
import { badRequest } from '../../../errors.ts'
import { checkTargetUrl } from '../../../security/public-network.ts'

export const callbackPath = (slug: string, endpointId: string) =>
  `/api/v1/connectors/webhooks/${slug}/${endpointId}`

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

interface Base {
  /** ATRIUM_PUBLIC_URL. */
  publicUrl: string | null
  /** ATRIUM_CONNECTOR_<SLUG>_URL. */
  override: string | null
}

/**
 * Must be public HTTPS, even if ATRIUM_ALLOW_PRIVATE_TARGETS allows more for outgoing requests. Exception for tests and
 * development: this server is on loopback and the operator replaced the provider's URL.
 */
export function callbackBase(
  { origin }: Pick<PublicContext, 'origin'>,
  { publicUrl, override }: Base,
): string {
  const base = publicUrl ?? origin.baseUrl
  const { hostname, protocol } = new URL(base)
  if (override !== null && LOOPBACK.test(hostname)) return base
  if (publicUrl === null)
    throw badRequest(
      'Providers send events to this server’s public HTTPS URL: set ATRIUM_PUBLIC_URL to it, then restart the server',
    )
  const problem = protocol === 'https:' ? checkTargetUrl(base, []) : 'must start with https://'
  if (problem)
    throw badRequest(
      `Providers cannot send events to ${base}, this server’s ATRIUM_PUBLIC_URL: it ${problem}`,
    )
  return base
}
