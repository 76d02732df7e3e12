import type { connectors } from '../../../../../contract/connections/connectors.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { Context } from '../../../../context.ts'
import { badField, badRequest, notFound, raise } from '../../../../errors.ts'
import type { ConnectorDefinition } from '../definition/definition.ts'
import { validateFields } from '../definition/fields.ts'
import { findDefinition } from '../find-definition.ts'
import { readConnector } from '../records.ts'
import { deleteClient, listHostFields, sealClient, upsertClient } from './client.ts'

export const setClient =
  (config: ConnectorsConfig) =>
  async (
    ctx: Context<'vault'>,
    { slug, clientId, clientSecret, config: values }: InputOf<typeof connectors.setClient>,
  ) => {
    const { orgId, userId: by } = ctx.caller
    const definition = await findOAuth(ctx, slug)
    const secretSealed = sealClient(ctx.vault, orgId, slug, {
      secret: clientSecret,
      config: hostsOf(definition, values),
    })
    await ctx.transaction(async (inside) => {
      await upsertClient(inside.sql, orgId, { slug, clientId, secretSealed, by, now: ctx.now() })
      const details = { name: definition.name, clientId }
      await recordAudit(inside, { action: 'connector.client-set', by: ctx.caller, target: slug, details })
    })
    return readConnector(ctx, config, definition)
  }

export const removeClient =
  (config: ConnectorsConfig) =>
  async (ctx: Context, { slug }: InputOf<typeof connectors.removeClient>) => {
    const definition = await findOAuth(ctx, slug)
    await ctx.transaction(async (inside) => {
      if (!(await deleteClient(inside.sql, ctx.caller.orgId, slug))) throw notFound('OAuth client')
      const details = { name: definition.name }
      await recordAudit(inside, { action: 'connector.client-removed', by: ctx.caller, target: slug, details })
    })
    return readConnector(ctx, config, definition)
  }

async function findOAuth(ctx: Context, slug: string): Promise<ConnectorDefinition> {
  const definition = (await findDefinition(ctx.sql, ctx.caller.orgId, slug)) ?? raise(notFound('Connector'))
  if (definition.auth.type !== 'oauth') throw badRequest(`${definition.name} does not use OAuth`)
  return definition
}

function hostsOf(definition: ConnectorDefinition, values: Record<string, string>): Record<string, string> {
  const fields = listHostFields(definition)
  const unknown = Object.keys(values).find((key) => fields.every((field) => field.key !== key))
  if (unknown !== undefined)
    throw badField(`body.config.${unknown}`, `is not a host field for ${definition.name}`)
  return validateFields(definition.config ?? [], values, 'body.config', { allowsMissing: true })
}
