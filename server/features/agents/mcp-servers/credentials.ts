import type { McpAuth } from '../../../../contract/agents/mcp-server-options.ts'
import type { Context } from '../../../context.ts'
import { badField } from '../../../errors.ts'
import type { ServerSettings } from './queries.ts'
import { sealHeader, sealSecret } from './sign-in/secrets.ts'

export interface CredentialsInput {
  header?: { name: string; value: string } | undefined
  client?: { id: string; secret?: string | undefined } | undefined
}

type Credentials = Pick<
  ServerSettings,
  'auth' | 'headerName' | 'headerSealed' | 'lastFour' | 'clientSecretSealed' | 'oauth'
>

/** A secret must not replace these. */
const REFUSED_HEADERS =
  /^(accept|content-.*|connection|host|cookie|te|trailer|transfer-encoding|upgrade|expect|keep-alive|origin|proxy-.*|sec-.*|mcp-.*|last-event-id)$/i

export function sealCredentials(
  { vault }: Pick<Context<'vault'>, 'vault'>,
  serverId: string,
  auth: McpAuth,
  { header, client }: CredentialsInput,
): Credentials {
  if (auth === 'header' && !header) throw badField('body.header', 'is required for auth: header')
  if (auth !== 'header' && header) throw badField('body.header', 'is for auth: header only')
  if (auth !== 'oauth' && client) throw badField('body.client', 'is for auth: oauth only')
  if (header && REFUSED_HEADERS.test(header.name))
    throw badField('body.header.name', 'must not be a protocol or connection header')
  const sealed = header
    ? sealHeader(vault, serverId, header)
    : { headerName: null, headerSealed: null, lastFour: null }
  return {
    auth,
    ...sealed,
    clientSecretSealed: client?.secret ? sealSecret(vault, 'client_secret', serverId, client.secret) : null,
    oauth: client ? { clientId: client.id } : {},
  }
}

/** Refuses URLs that aren't public. */
export async function validateUrl(
  { outbound }: Pick<Context<'outbound'>, 'outbound'>,
  url: string,
): Promise<string> {
  const problem = await outbound.checkUrl(url)
  if (problem) throw badField('body.url', problem)
  const { hash, href } = new URL(url)
  if (hash) throw badField('body.url', 'must not have a fragment')
  return href
}
