import { hmac, isSameTag } from '../../../../security/hmac.ts'
import type { OAuthProvider } from './provider.ts'

type Query = Readonly<Record<string, string>>

/** Whether the provider signed the callback, where its definition requires that. */
export function isVerified({ auth, client, hostOf }: OAuthProvider, query: Query): boolean {
  if (auth.callbackProof !== 'shopify') return true
  const { hmac: given = '', ...signed } = query
  return (
    query.shop === hostOf(auth.authorizeUrl) &&
    isSameTag(Buffer.from(given, 'hex'), shopifyTag(client.secret, signed))
  )
}

/** The parameters in the order of their names, as a query. */
function shopifyTag(secret: string, query: Query): Buffer {
  const names = Object.keys(query).toSorted()
  const text = new URLSearchParams(names.map((name) => [name, query[name]!])).toString()
  return hmac('sha256', Buffer.from(secret), [text])
}
