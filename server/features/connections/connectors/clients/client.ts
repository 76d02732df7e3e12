import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { Sql } from '../../../../database/database.ts'
import type { Vault } from '../../../../security/vault.ts'
import type { ConnectorDefinition } from '../definition/definition.ts'
import type { Field } from '../definition/fields.ts'

export interface OAuthClientSecrets {
  id: string
  secret: string
}

export interface ClientDependencies {
  sql: Sql
  vault: Vault
  connectors: ConnectorsConfig
}

type Config = Readonly<Record<string, string>>

/** The host fields name the provider installation the client is registered with. */
interface SealedClient {
  secret: string
  config: Config
}

const locationOf = (orgId: string, slug: string) => `connector_clients.secret:${orgId}:${slug}`

export const sealClient = (vault: Vault, orgId: string, slug: string, client: SealedClient) =>
  vault.seal(locationOf(orgId, slug), JSON.stringify(client))

/** The organization's client, else the server's, else null. */
export async function findClient(
  deps: ClientDependencies,
  orgId: string,
  slug: string,
): Promise<OAuthClientSecrets | null> {
  const found = await findRegistered(deps, orgId, slug)
  return found && { id: found.id, secret: found.secret }
}

/**
 * Like `findClient`. Also null if the connection uses a different provider installation: the client's secret must not
 * reach a host that a member chooses.
 */
export async function findClientFor(
  deps: ClientDependencies,
  orgId: string,
  definition: ConnectorDefinition,
  config: Config,
): Promise<OAuthClientSecrets | null> {
  const found = await findRegistered(deps, orgId, definition.slug)
  if (!found) return null
  const { config: registeredConfig, ...client } = found
  // An operator's URL replaces every host.
  if (deps.connectors[definition.slug]?.url) return client
  const isSameHost = ({ key, value }: { key: string; value: string | undefined }) =>
    config[key] === (registeredConfig[key] ?? value)
  return listHostFields(definition).every(isSameHost) ? client : null
}

async function findRegistered({ sql, vault, connectors }: ClientDependencies, orgId: string, slug: string) {
  const row = await findClientRow(sql, orgId, slug)
  if (row) {
    const own = openClient(vault, orgId, slug, row.secretSealed)
    return own && { id: row.clientId, ...own }
  }
  const client = connectors[slug]?.client
  return client ? { ...client, config: {} as Config } : null
}

/** Returns null if sealed with another server secret. */
function openClient(vault: Vault, orgId: string, slug: string, sealed: string): SealedClient | null {
  const text = vault.tryOpen(locationOf(orgId, slug), sealed)
  return text === null ? null : JSON.parse(text)
}

export interface ClientRow {
  slug: string
  clientId: string
  secretSealed: string
  updatedAt: string
}

/** At most one per connector. */
export const listClients = (sql: Sql, orgId: string) => sql<ClientRow[]>`
  select slug, client_id as "clientId", secret_sealed as "secretSealed", updated_at as "updatedAt"
  from connector_clients where org_id = ${orgId}`

export async function findClientRow(sql: Sql, orgId: string, slug: string): Promise<ClientRow | null> {
  const [row] = await sql<ClientRow[]>`
    select slug, client_id as "clientId", secret_sealed as "secretSealed", updated_at as "updatedAt"
    from connector_clients where org_id = ${orgId} and slug = ${slug}`
  return row ?? null
}

export async function upsertClient(
  sql: Sql,
  orgId: string,
  client: Pick<ClientRow, 'slug' | 'clientId' | 'secretSealed'> & { by: string; now: Date },
): Promise<void> {
  const { slug, clientId, secretSealed, by, now } = client
  await sql`
    insert into connector_clients (org_id, slug, client_id, secret_sealed, set_by, updated_at)
    values (${orgId}, ${slug}, ${clientId}, ${secretSealed}, ${by}, ${now})
    on conflict (org_id, slug) do update set client_id = excluded.client_id, secret_sealed = excluded.secret_sealed,
      set_by = excluded.set_by, updated_at = excluded.updated_at`
}

export async function deleteClient(sql: Sql, orgId: string, slug: string): Promise<boolean> {
  const { count } = await sql`delete from connector_clients where org_id = ${orgId} and slug = ${slug}`
  return count === 1
}

/** Chooses the server, unlike `{config.shop}.example.com`. */
const OPEN_HOST = /^(?:https:\/\/)?[^/]*\{config\.(\w+)\}(?::\d+)?(?:\/|$)/

export function listHostFields({ auth, config = [] }: ConnectorDefinition) {
  if (auth.type !== 'oauth') return []
  const urls = [auth.authorizeUrl, auth.tokenUrl, auth.refreshUrl, auth.revoke?.url]
  const keys = new Set(urls.flatMap((url) => (typeof url === 'string' && OPEN_HOST.exec(url)?.[1]) || []))
  return config
    .filter((field) => keys.has(field.key) && acceptsAnyHost(field))
    .map(({ key, default: value }) => ({ key, value }))
}

/** A pattern with the provider's domain doesn't. */
const acceptsAnyHost = ({ pattern }: Field) =>
  pattern === undefined || new RegExp(`^(?:${pattern})$`, 'u').test('another-host.example')
