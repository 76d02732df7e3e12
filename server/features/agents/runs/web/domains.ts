import { badRequest } from '../../../../errors.ts'
import type { AgentSettings } from '../../agents/agents.ts'

export type WebDomains = AgentSettings['web']

/** `example.com` includes `www.example.com`, but not `evil-example.com`. */
export const isInDomains = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`))

export function mayRead({ allowedDomains, deniedDomains }: WebDomains, url: string): boolean {
  const host = hostOf(url).replace(/\.$/, '')
  if (isInDomains(host, deniedDomains)) return false
  return allowedDomains.length === 0 || isInDomains(host, allowedDomains)
}

/** Lowercase ASCII without the port. Empty for an invalid URL, which the call refuses. */
export const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname : '')

export const notAllowed = (what: string) =>
  badRequest(`${what} is not on a domain that this agent may read: its editor sets them under Tools`)
