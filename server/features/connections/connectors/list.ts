import type { connectors } from '../../../../contract/connections/connectors.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { ConnectorsConfig } from '../../../config/connectors.ts'
import type { Context } from '../../../context.ts'
import { notFound, raise } from '../../../errors.ts'
import { listClients } from './clients/client-queries.ts'
import type { ConnectorDefinition } from './definition/definition.ts'
import { findDefinition, listDefinitions } from './find-definition.ts'
import { present, recordOf } from './records.ts'

export const listConnectors =
  (config: ConnectorsConfig) =>
  async (ctx: Context, { category, authType, search }: InputOf<typeof connectors.list>) => {
    const { orgId } = ctx.caller
    const [definitions, clients] = await Promise.all([
      listDefinitions(ctx.sql, orgId),
      listClients(ctx.sql, orgId),
    ])
    const found = definitions.filter(
      (definition) =>
        (category === undefined || definition.category === category) &&
        (authType === undefined || definition.auth.type === authType) &&
        matchesSearch(definition, search?.trim().toLowerCase() ?? ''),
    )
    const clientsOf = (slug: string) => ({
      own: clients.find((client) => client.slug === slug) ?? null,
      settings: config[slug],
    })
    return { items: found.map((definition) => present(definition, clientsOf(definition.slug), ctx)) }
  }

export const getConnector =
  (config: ConnectorsConfig) =>
  async (ctx: Context, { slug }: InputOf<typeof connectors.get>) => {
    const definition = await findDefinition(ctx.sql, ctx.caller.orgId, slug)
    return recordOf(ctx, config, definition ?? raise(notFound('Connector')))
  }

const matchesSearch = ({ slug, name, description, tools }: ConnectorDefinition, search: string) =>
  [slug, name, description, ...tools.flatMap((tool) => [tool.name, tool.description])].some((text) =>
    text.toLowerCase().includes(search),
  )
