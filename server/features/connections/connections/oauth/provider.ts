import { ApiError } from '../../../../errors.ts'
import type { TokenEndpoint } from '../../../../oauth/token-request.ts'
import {
  type ConnectorDefinition,
  fillText,
  findClientFor,
  plainPart,
  replaceOrigin,
  valueAt,
} from '../../connectors/connectors.ts'
import type { ConnectionDependencies } from '../dependencies.ts'
import type { ConnectionRow } from '../queries.ts'

export type OAuth = Extract<ConnectorDefinition['auth'], { type: 'oauth' }>
type UrlTemplate = NonNullable<OAuth['revoke']>['url']

export interface OAuthProvider {
  definition: ConnectorDefinition
  auth: OAuth
  client: NonNullable<Awaited<ReturnType<typeof findClientFor>>>
  /** The operator may override the host. */
  urlOf: (template: UrlTemplate) => string
  /** The provider's own host, even if the operator set another URL. */
  hostOf: (template: string) => string
}

/** Returns null without OAuth or a client. */
export async function findProvider(
  deps: Pick<ConnectionDependencies, 'sql' | 'vault' | 'connectors'>,
  orgId: string,
  definition: ConnectorDefinition,
  { slug, config, kept }: Pick<ConnectionRow, 'slug' | 'config' | 'kept'>,
): Promise<OAuthProvider | null> {
  const { auth } = definition
  if (auth.type !== 'oauth') return null
  const client = await findClientFor(deps, orgId, definition, config)
  if (!client) return null
  const override = deps.connectors[slug]?.url ?? null
  const scope = { config, kept, client: { id: client.id } }
  const fill = (template: UrlTemplate) =>
    fillText(typeof template === 'function' ? template(config) : template, scope, plainPart)
  return {
    definition,
    auth,
    client,
    urlOf: (template) => replaceOrigin(fill(template), override),
    hostOf: (template) => new URL(fill(template)).host,
  }
}

export function tokenEndpoint(
  { auth, client, urlOf }: OAuthProvider,
  grant: 'code' | 'refresh',
): TokenEndpoint {
  const { errorWhen } = auth.answer ?? {}
  return {
    url: urlOf(grant === 'refresh' ? (auth.refreshUrl ?? auth.tokenUrl) : auth.tokenUrl),
    client,
    clientAuth: auth.clientAuth ?? 'post',
    body: auth.tokenBody ?? 'form',
    ...(errorWhen && {
      errorCodeOf: (answer: unknown) =>
        valueAt(answer, errorWhen.path) === errorWhen.equals ? codeAt(answer, errorWhen.message) : null,
    }),
  }
}

function codeAt(answer: unknown, path: string): string {
  const code = valueAt(answer, path)
  return typeof code === 'string' && /^[\w.:-]{1,80}$/.test(code) ? code : 'unknown_error'
}

export const notConfigured = ({ name }: ConnectorDefinition) =>
  new ApiError(
    'BAD_REQUEST',
    `${name} isn’t configured: an organization admin or this server’s operator has to set its OAuth client (Settings, Connectors)`,
    { details: { reason: 'not_configured' } },
  )
