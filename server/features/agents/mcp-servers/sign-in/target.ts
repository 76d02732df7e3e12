import type { Target } from '../connection/connect.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ServerRow } from '../queries.ts'
import { openSecret } from './secrets.ts'
import { createTokenProvider } from './tokens.ts'

export function openTarget(ctx: Dependencies, orgId: string, server: ServerRow): Target {
  const { url, auth, headerName, headerSealed } = server
  if (auth === 'oauth')
    return { url, headers: {}, secrets: [], tokens: createTokenProvider(ctx, orgId, server) }
  const value = auth === 'header' ? openSecret(ctx.vault, 'header', server.id, headerSealed) : null
  return value === null ? targetWith(url, undefined) : targetWith(url, { name: headerName!, value })
}

export function targetWith(url: string, header: { name: string; value: string } | undefined): Target {
  if (!header) return { url, headers: {}, secrets: [] }
  const { name, value } = header
  // A server may repeat the secret without its scheme.
  return { url, headers: { [name]: value }, secrets: [value, ...value.split(' ').filter(isLong)] }
}

const isLong = (part: string) => part.length >= 8

export const withoutSecrets = (text: string, { secrets }: Pick<Target, 'secrets'>): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text)
