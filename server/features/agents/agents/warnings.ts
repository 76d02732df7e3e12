import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { defineHook } from '../../../hooks.ts'
import type { AgentRow, Warnings } from './records.ts'

/** A setting in which agents name another feature's records. */
interface AgentReference {
  setting: 'skills' | 'mcpServers' | 'allowedConnectors' | 'knowledge'
  /** Reads on the caller's connection, which may be in a transaction. */
  listExisting: (sql: Sql, orgId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>
  /** For an id that doesn't exist. */
  warnAbout: (id: string) => string
}

export const agentReferences = defineHook<AgentReference>('agentReferences')

export type WarningsOf = (
  ctx: Pick<Context<'hooks'>, 'sql' | 'caller' | 'hooks'>,
  rows: readonly AgentRow[],
) => Promise<Warnings[]>

/** Whether a provider currently available to the organization offers the model. */
type OffersModel = (sql: Sql, orgId: string, model: string) => Promise<boolean>

/**
 * Providers, skills, MCP servers and custom connectors can be removed at any time, so a missing one is only a warning.
 */
export const createWarnings =
  (offersModel: OffersModel): WarningsOf =>
  async (ctx, rows) => {
    const { orgId } = ctx.caller
    const models = [...new Set(rows.flatMap((row) => modelsOf(row).map(([, model]) => model)))]
    const [isOffered, ...references] = await Promise.all([
      Promise.all(models.map((model) => offersModel(ctx.sql, orgId, model))),
      ...ctx.hooks.all(agentReferences).map(async ({ setting, listExisting, warnAbout }) => {
        const named = [...new Set(rows.flatMap(({ settings }) => settings[setting]))]
        return { setting, existing: await listExisting(ctx.sql, orgId, named), warnAbout }
      }),
    ])
    const missingModels = new Set(models.filter((_, index) => !isOffered[index]))
    return rows.map((row) => [
      ...modelsOf(row)
        .filter(([, model]) => missingModels.has(model))
        .map(([path, model]) => ({ path, message: `no configured provider offers ${model}` })),
      ...references.flatMap(({ setting, existing, warnAbout }) =>
        row.settings[setting].flatMap((id, index) =>
          existing.has(id) ? [] : [{ path: `${setting}.${index}`, message: warnAbout(id) }],
        ),
      ),
    ])
  }

const modelsOf = ({ settings: { model, fallbackModels } }: AgentRow): [path: string, model: string][] => [
  ...(model === null ? [] : [['model', model] satisfies [string, string]]),
  ...fallbackModels.map((name, index): [string, string] => [`fallbackModels.${index}`, name]),
]
