import { connectors as contract } from '../../../../contract/connections/connectors.ts'
import { customConnectors as customContract } from '../../../../contract/connections/custom-connectors.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { ConnectorsConfig } from '../../../config/connectors.ts'
import type { Context } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import { notFound, raise } from '../../../errors.ts'
import type { Feature } from '../../../feature.ts'
import { fill } from '../../../hooks.ts'
import { agentReferences } from '../../agents/agents/agents.ts'
import { builtIn } from './catalog/catalog.ts'
import { listClients } from './clients/client.ts'
import { removeClient, setClient } from './clients/set-client.ts'
import * as custom from './custom/manage.ts'
import { importOpenapi, readOpenapi } from './custom/openapi/import.ts'
import { checkDefinitions } from './definition/check-definition.ts'
import type { ConnectorDefinition } from './definition/definition.ts'
import { findDefinition, listDefinitions, listExistingSlugs } from './find-definition.ts'
import { present, readConnector } from './records.ts'

export { fromStorage } from './catalog/knowledge/confluence.ts'
export { findClient, findClientFor } from './clients/client.ts'
export type { ConnectorDefinition, ConnectorTool } from './definition/definition.ts'
export { validateFields } from './definition/fields.ts'
export { textAt } from './definition/payload.ts'
export type { EventImage, NormalizedEvent, ReceiverDefinition } from './definition/receiver.ts'
export { fillText, isKeyed, plainText, type RequestTemplate, valueAt } from './definition/template.ts'
export { findDefinition, findDefinitions, isBuiltIn } from './find-definition.ts'
export { connectorRedirectUri, hasOwnRedirect } from './records.ts'
export { type ConnectionTarget, plainPart, replaceOrigin } from './requests/build-request.ts'
export { type CallResult, callTool } from './requests/call-tool.ts'
export { downloadContent } from './requests/download.ts'
export type { Failure } from './requests/failure.ts'
export { sendRequest } from './requests/send-request.ts'
export { retryAfterMs } from './requests/send-with-retries.ts'

/** Services that users can connect to, and each organization's OAuth clients. */
export function connectors(config: ConnectorsConfig): Feature {
  checkDefinitions(builtIn)
  return {
    routes: [
      handle(contract.list, listConnectors(config)),
      handle(contract.get, getConnector(config)),
      handle(contract.setClient, setClient(config)),
      handle(contract.removeClient, removeClient(config)),
      handle(customContract.list, custom.list),
      handle(customContract.create, custom.create),
      handle(customContract.get, custom.get),
      handle(customContract.update, custom.update),
      handle(customContract.remove, custom.remove),
      handle(customContract.readOpenapi, readOpenapi),
      handle(customContract.importOpenapi, importOpenapi),
    ],
    fills: [
      fill(agentReferences, {
        setting: 'allowedConnectors',
        listExisting: listExistingSlugs,
        warnAbout: (slug) => `there is no connector ${slug}`,
      }),
    ],
  }
}

const listConnectors =
  (config: ConnectorsConfig) =>
  async (ctx: Context, { category, authType, search }: InputOf<typeof contract.list>) => {
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

const getConnector =
  (config: ConnectorsConfig) =>
  async (ctx: Context, { slug }: InputOf<typeof contract.get>) => {
    const definition = await findDefinition(ctx.sql, ctx.caller.orgId, slug)
    return readConnector(ctx, config, definition ?? raise(notFound('Connector')))
  }

const matchesSearch = ({ slug, name, description, tools }: ConnectorDefinition, search: string) =>
  [slug, name, description, ...tools.flatMap((tool) => [tool.name, tool.description])].some((text) =>
    text.toLowerCase().includes(search),
  )
