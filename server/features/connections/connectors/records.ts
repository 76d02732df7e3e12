import type { z } from 'zod'
import type { ConnectorAvailability } from '../../../../contract/connections/connector-options.ts'
import type { Connector } from '../../../../contract/connections/connectors.ts'
import type { ConnectorsConfig } from '../../../config/connectors.ts'
import type { Context, PublicContext } from '../../../context.ts'
import { type ClientRow, findClientRow, listHostFields } from './clients/client.ts'
import type { ConnectorDefinition } from './definition/definition.ts'
import type { Field } from './definition/fields.ts'
import type { ReceiverDefinition } from './definition/receiver.ts'

type ConnectorRecord = z.output<typeof Connector>

/**
 * Without a fixed authorization server, a connector needs its own redirect URI. Otherwise that server could redirect to
 * another provider and receive its code.
 */
export const connectorRedirectUri = (
  { origin }: Pick<PublicContext, 'origin'>,
  definition: ConnectorDefinition,
) => {
  const uri = `${origin.baseUrl}/api/v1/connections/oauth/callback`
  return hasOwnRedirect(definition) ? `${uri}?connector=${definition.slug}` : uri
}

export const hasOwnRedirect = (definition: ConnectorDefinition) =>
  definition.slug.startsWith('custom-') || listHostFields(definition).length > 0

export async function readConnector(
  ctx: Context,
  config: ConnectorsConfig,
  definition: ConnectorDefinition,
): Promise<ConnectorRecord> {
  const own = await findClientRow(ctx.sql, ctx.caller.orgId, definition.slug)
  return present(definition, { own, settings: config[definition.slug] }, ctx)
}

export function present(
  definition: ConnectorDefinition,
  { own, settings }: { own: ClientRow | null; settings: ConnectorsConfig[string] | undefined },
  ctx: Pick<PublicContext, 'origin'>,
): ConnectorRecord {
  const { slug, name, description, category, docsUrl, auth, receiver } = definition
  const hasServerClient = Boolean(settings?.client)
  const configured = auth.type !== 'oauth' || own !== null || hasServerClient
  return {
    slug,
    name,
    description,
    category,
    authType: auth.type,
    configured,
    ...(settings?.isDisabled ? DISABLED : availabilityOf(definition, configured)),
    docsUrl,
    tools: definition.tools.map((tool) => ({
      name: `${slug}_${tool.name}`,
      description: tool.description,
      effect: tool.effect,
      risk: tool.risk,
    })),
    ...(auth.type === 'api_key' && { credentialFields: auth.fields.map(presentField) }),
    configFields: (definition.config ?? []).map(presentField),
    receives: receiver ? presentReceiver(receiver) : null,
    client:
      auth.type === 'oauth'
        ? {
            source: own ? 'organization' : hasServerClient ? 'server' : null,
            clientId: own?.clientId ?? null,
            redirectUri: connectorRedirectUri(ctx, definition),
            configFields: listHostFields(definition).map(({ key }) => key),
            registerUrl: auth.registerUrl,
            updatedAt: own?.updatedAt ?? null,
          }
        : null,
  }
}

const DISABLED = {
  availability: 'disabled' as const,
  availabilityReason: 'This server’s operator turned it off',
}

const UNCONFIGURED = 'No OAuth client yet. An admin can register one under Integrations → Custom apps.'

function availabilityOf(
  { availability }: ConnectorDefinition,
  configured: boolean,
): { availability: ConnectorAvailability; availabilityReason?: string } {
  if (availability?.value === 'coming_soon' || (availability && configured))
    return { availability: availability.value, availabilityReason: availability.reason }
  if (!configured) return { availability: 'unconfigured', availabilityReason: UNCONFIGURED }
  return { availability: 'available' }
}

const presentField = ({ key, label, required, secret, hint, pattern, placeholder }: Field) => ({
  key,
  label,
  required,
  secret: secret ?? false,
  hint: hint ?? null,
  pattern: pattern ?? null,
  placeholder: placeholder ?? null,
})

type PresentedReceiver = NonNullable<z.output<typeof Connector>['receives']>

function presentReceiver({
  kind,
  events,
  proof,
  reply,
  sessionKey,
  setup,
}: ReceiverDefinition): PresentedReceiver {
  const source = proof.by === 'google-token' ? null : proof.secret
  return {
    kind,
    events: Object.entries(events).map(([key, description]) => ({ key, description })),
    setup: setup.by === 'api' ? 'register' : 'paste',
    replies: reply !== undefined,
    sessionKey,
    fields: (setup.by === 'api' ? (setup.fields ?? []) : []).map(
      ({ key, label, required, hint, pattern }) => ({
        key,
        label,
        required,
        secret: false,
        hint,
        pattern: pattern ?? null,
        placeholder: null,
      }),
    ),
    secret: source?.from === 'entered' ? { label: source.label, hint: source.hint } : null,
  }
}
