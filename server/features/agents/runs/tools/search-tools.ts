import { z } from 'zod'
import type { Sql } from '../../../../database/database.ts'
import { rankByTerms } from '../../../../tools/rank-by-terms.ts'
import type { EngineRun } from '../state/run-row.ts'
import { type RunTool, toInputSchema } from '../state/run-tool.ts'

/** More make models choose worse, and fill the prompt. */
export const SHOWN_TOOLS_MAX = 40
const NAME = 'search_tools'
const FOUND_PER_SEARCH = 5
/** Earlier tools can be found again. */
const FOUND_MAX = 30
/** A longer output would become a file. */
const OUTPUT_BYTES_MAX = 49_152
const SOURCES_MAX = 60

const input = z.strictObject({
  query: z.string().min(1).max(200).describe('What you want to do, in a few words'),
})

/** Found tools are declared from then on, also in the session's later runs. */
export const searchTools = (all: readonly RunTool[]): RunTool =>
  ({
    name: NAME,
    description: `Find tools from connected services, which are too many to show at once. You can call the tools it finds from your next step on. There are tools from: ${sourcesOf(all)}.`,
    input,
    effect: 'read',
    isOutsidePrograms: true,
    risk: 'none',
    run: async (_call, { query }) => {
      const ranked = rankByTerms(all, query, FOUND_PER_SEARCH, ({ name, description }) => [
        [description, 1],
        [name, 4],
      ])
      const tools = withinLimit(
        ranked.map((tool) => ({
          name: tool.name,
          description: tool.description,
          input: tool.inputSchema ?? toInputSchema(tool.input),
        })),
      )
      return tools.length > 0 ? { tools } : { tools, note: 'No tool matches: use other words' }
    },
  }) satisfies RunTool<z.output<typeof input>> as unknown as RunTool

function withinLimit<T>(tools: T[]): T[] {
  let bytes = 0
  return tools.filter((tool, index) => {
    bytes += Buffer.byteLength(JSON.stringify(tool))
    return index === 0 || bytes <= OUTPUT_BYTES_MAX
  })
}

/** `github_get_issue` → github, `mcp_archive_search` → mcp_archive. */
const sourcesOf = (all: readonly RunTool[]) =>
  [...new Set(all.map(({ name }) => /^(mcp_[^_]+|[^_]+)/.exec(name)![0]))]
    .toSorted()
    .slice(0, SOURCES_MAX)
    .join(', ')

const RUNS_READ = 20

/**
 * From calls, so that any process can continue a run. The session's earlier runs count too: declaring fewer tools than
 * the previous prompt would make the provider read everything again.
 */
export async function listFoundTools(
  sql: Sql,
  { orgId, sessionId }: Pick<EngineRun, 'orgId' | 'sessionId'>,
): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select t ->> 'name' as name from (
      select r.id from runs r where r.org_id = ${orgId} and r.session_id = ${sessionId} order by r.id desc
      limit ${RUNS_READ}
    ) r
    join run_calls c on c.org_id = ${orgId} and c.run_id = r.id
    cross join lateral jsonb_array_elements(case when jsonb_typeof(c.output -> 'tools') = 'array' then c.output -> 'tools' else '[]' end) t
    where c.tool = ${NAME} and c.state = 'done'
    order by r.id desc, c.step desc, c.ordinal desc`
  return [...new Set(rows.map(({ name }) => name))].slice(0, FOUND_MAX)
}
