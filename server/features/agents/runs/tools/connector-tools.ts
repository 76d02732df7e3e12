import type { z } from 'zod'
import { scopeGrants } from '../../../../../contract/accounts/scopes.ts'
import type { Caller } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { ApiError, forbidden, raise } from '../../../../errors.ts'
import { fence, stableFence } from '../../../../language-models/fence.ts'
import {
  type ConnectionDependencies,
  callConnection,
  listUsable,
} from '../../../connections/connections/connections.ts'
import {
  type CallResult,
  type ConnectorDefinition,
  type ConnectorTool,
  findDefinitions,
  isBuiltIn,
} from '../../../connections/connectors/connectors.ts'
import { accessLost } from '../state/errors.ts'
import { findRunCaller } from '../state/run-caller.ts'
import type { EngineRun } from '../state/run-row.ts'
import { type RunTool, type RunToolCall, toInputSchema } from '../state/run-tool.ts'
import { type Account, accountField, nameAccounts, withAccountProperty } from './accounts.ts'

type Input = Record<string, unknown>
export type RunOwner = Pick<EngineRun, 'orgId' | 'id' | 'createdBy' | 'projectId' | 'sessionId'>

export type ConnectorOptions = Pick<ConnectionDependencies, 'vault' | 'now' | 'connectors'>

export interface ConnectorTools {
  tools: RunTool[]
  unconnectedConnectors: { slug: string; name: string }[]
}

const NO_TOOLS: ConnectorTools = { tools: [], unconnectedConnectors: [] }

export async function loadConnectorTools(
  sql: Sql,
  run: RunOwner,
  slugs: readonly string[],
  options: ConnectorOptions,
): Promise<ConnectorTools> {
  if (slugs.length === 0) return NO_TOOLS
  const { orgId, createdBy: userId, projectId } = run
  const caller = await findRunCaller(sql, run)
  if (!caller || !mayUseConnections(caller)) return NO_TOOLS
  const [connections, definitions] = await Promise.all([
    listUsable(sql, orgId, { userId, projectId, slugs }),
    findDefinitions(sql, orgId, slugs),
  ])
  const agentConnectors = slugs.flatMap((slug) => definitions.get(slug) ?? [])
  const accounts = new Map(
    agentConnectors.map(({ slug }) => [slug, nameAccounts(connections.filter((each) => each.slug === slug))]),
  )
  return {
    tools: agentConnectors.flatMap((definition) => {
      const usable = accounts.get(definition.slug)!
      if (usable.length === 0) return []
      return definition.tools.map(
        (tool) => connectorTool(definition, tool, usable, options) as unknown as RunTool,
      )
    }),
    unconnectedConnectors: agentConnectors
      .filter(({ slug }) => accounts.get(slug)!.length === 0)
      .map(({ slug, name }) => ({ slug, name })),
  }
}

/** A key uses its user's connections if it may list them. */
const mayUseConnections = ({ scopes }: Caller) => scopes === 'all' || scopeGrants(scopes, 'connections:read')

function connectorTool(
  definition: ConnectorDefinition,
  tool: ConnectorTool,
  accounts: readonly Account[],
  options: ConnectorOptions,
): RunTool<Input> {
  const { slug, name: connector } = definition
  const { effect, risk } = tool
  const name = `${slug}_${tool.name}`
  const accountOf = ({ account = accounts[0]!.name }: Input) =>
    accounts.find((each) => each.name === account) ?? raise(noAccount(connector, account))
  const schema = tool.inputSchema ?? toInputSchema(tool.input)
  return {
    name,
    description: describe(definition, tool, accounts),
    input: tool.input.safeExtend({ account: accountField(accounts) }) as unknown as z.ZodType<Input>,
    inputSchema: accounts.length > 1 ? withAccountProperty(schema, accounts) : schema,
    effect,
    risk,
    isOutside: true,
    // The default may change before the call is made.
    pin: (input) => ({ ...input, account: accountOf(input).name }),
    // A grant covers one account only.
    grantName: (input) => `${name} ${accountOf(input).id.slice(-12)}`,
    summarize: (input) => `Call ${tool.name} in ${connector} as ${accountOf(input).name}`,
    async run(call, { account, ...input }) {
      await requireRights(call, name, effect)
      const { sql, outbound, signal, idempotencyKey, orgId } = call
      const result = await callConnection({ ...options, sql, outbound }, orgId, {
        connectionId: accountOf({ account }).id,
        runId: call.run.id,
        toolName: name,
        tool,
        input,
        idempotencyKey,
        signal,
      })
      return outputOf(connector, result)
    },
  }
}

const noAccount = (connector: string, account: unknown) =>
  new ApiError(
    'NOT_FOUND',
    `There is no account ${JSON.stringify(account)} in ${connector}: its connection was revoked or renamed`,
  )

/** Read per call: if the user loses access, the run stops at its next call. */
async function requireRights(
  call: RunToolCall,
  name: string,
  effect: ConnectorTool['effect'],
): Promise<void> {
  const caller = await findRunCaller(call.sql, call.run)
  if (!caller) throw accessLost()
  if (!mayUseConnections(caller))
    throw forbidden('This run’s API key can’t use connections: it lacks the scope connections:read')
  if (caller.readOnly && effect !== 'read')
    throw forbidden(`${name} may change something, and this run’s API key may only read`)
}

/** Errors can contain instructions too. */
function outputOf(source: string, result: CallResult) {
  if (result.ok) return { source, content: fence(textOf(result.value), source) }
  if (result.isOurs) throw new ApiError('PROVIDER_ERROR', result.text)
  return { source, isError: true, content: fence(result.text, source) }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 1))

/** Others may have written a custom connector's description. The marker is stable. */
function describe(
  { slug, name }: ConnectorDefinition,
  { description }: ConnectorTool,
  [only, ...others]: readonly Account[],
): string {
  const text = isBuiltIn(slug)
    ? description
    : `A tool from the connector ${name}.\n${stableFence(description, `the connector ${name}`)}`
  return others.length === 0 ? `${text}\nAccount at ${name}: ${only!.name}.` : text
}
