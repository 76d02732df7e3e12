import type { Sql } from '../../../database/database.ts'
import type { AgentRow, Warnings } from './records.ts'

/** Each reads on the connection of the caller, which may be in a transaction. */
export interface WarningSources {
  /** Whether a provider that the organization can use at present offers the model. */
  offersModel: (sql: Sql, orgId: string, model: string) => Promise<boolean>
  /** The ids that are skills of the organization. */
  listExistingSkillIds: (sql: Sql, orgId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>
  /** The ids that are MCP servers of the organization. */
  existingMcpServers: (sql: Sql, orgId: string, ids: readonly string[]) => Promise<ReadonlySet<string>>
  /** The slugs that are connectors of the organization. */
  existingConnectors: (sql: Sql, orgId: string, slugs: readonly string[]) => Promise<ReadonlySet<string>>
}

export type WarningsOf = (sql: Sql, orgId: string, rows: readonly AgentRow[]) => Promise<Warnings[]>

/** Providers, skills, MCP servers and custom connectors can be removed at any time, so a missing one is a warning and not an error. */
export function createWarnings({
  offersModel,
  listExistingSkillIds,
  existingMcpServers,
  existingConnectors,
}: WarningSources): WarningsOf {
  return async (sql, orgId, rows) => {
    const models = [...new Set(rows.flatMap((row) => modelsOf(row).map(([, model]) => model)))]
    const skills = [...new Set(rows.flatMap(({ settings }) => settings.skills))]
    const servers = [...new Set(rows.flatMap(({ settings }) => settings.mcpServers))]
    const slugs = [...new Set(rows.flatMap(({ settings }) => settings.allowedConnectors))]
    const [isOffered, existingSkills, existingServers, existingSlugs] = await Promise.all([
      Promise.all(models.map((model) => offersModel(sql, orgId, model))),
      listExistingSkillIds(sql, orgId, skills),
      existingMcpServers(sql, orgId, servers),
      existingConnectors(sql, orgId, slugs),
    ])
    const missingModels = new Set(models.filter((_, index) => !isOffered[index]))
    return rows.map((row) => [
      ...modelsOf(row)
        .filter(([, model]) => missingModels.has(model))
        .map(([path, model]) => ({ path, message: `no configured provider offers ${model}` })),
      ...row.settings.skills.flatMap((id, index) =>
        existingSkills.has(id) ? [] : [{ path: `skills.${index}`, message: 'the skill no longer exists' }],
      ),
      ...row.settings.mcpServers.flatMap((id, index) =>
        existingServers.has(id)
          ? []
          : [{ path: `mcpServers.${index}`, message: 'the MCP server does not exist' }],
      ),
      ...row.settings.allowedConnectors.flatMap((slug, index) =>
        existingSlugs.has(slug)
          ? []
          : [{ path: `allowedConnectors.${index}`, message: `there is no connector ${slug}` }],
      ),
    ])
  }
}

const modelsOf = ({ settings: { model, fallbackModels } }: AgentRow): [path: string, model: string][] => [
  ...(model === null ? [] : [['model', model] satisfies [string, string]]),
  ...fallbackModels.map((name, index): [string, string] => [`fallbackModels.${index}`, name]),
]
