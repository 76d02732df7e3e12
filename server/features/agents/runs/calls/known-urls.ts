import type { Sql } from '../../../../database/database.ts'
import { toPageUrl } from '../../../../web-search/results.ts'
import type { Answer } from '../state/answer.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { RunTool } from '../state/run-tool.ts'
import { urlsInResults } from '../web/fenced-results.ts'

const CALLS_MAX = 200

/**
 * URLs that this conversation or an ancestor already read, or that a search returned. They tell their servers nothing
 * about the run: untrusted content didn't write them. A search counts only if untrusted content couldn't word it, or a
 * member saw it.
 */
export async function findKnownUrls(
  sql: Sql,
  run: EngineRun,
  tools: ReadonlyMap<string, RunTool>,
  { calls }: Pick<Answer, 'calls'>,
): Promise<ReadonlySet<string>> {
  const urls = new Set<string>()
  for (const { tool: name, input } of calls) {
    const tool = tools.get(name)
    const parsed = tool?.urlIn && tool.input.safeParse(input)
    const url = parsed?.success ? tool!.urlIn!(parsed.data) : null
    if (url !== null) urls.add(url)
  }
  if (urls.size === 0) return urls
  const known = new Set((await listCallsWith(sql, run, [...urls])).flatMap(urlsOf))
  return urls.intersection(known)
}

interface WebCall {
  tool: 'web_search' | 'web_fetch'
  url: string | null
  results: string | null
}

const urlsOf = ({ tool, url, results }: WebCall): string[] =>
  tool === 'web_fetch' ? [toPageUrl(url) ?? ''] : urlsInResults(results)

const listCallsWith = (sql: Sql, run: EngineRun, urls: string[]) => sql<WebCall[]>`
  with recursive line as (
    select r.session_id, r.parent_run_id from runs r where r.org_id = ${run.orgId} and r.id = ${run.id}
    union
    select r.session_id, r.parent_run_id from line l
    join runs r on r.org_id = ${run.orgId} and r.id = l.parent_run_id
  )
  select c.tool, c.input ->> 'url' as url, c.output ->> 'results' as results from line l
  join runs r on r.org_id = ${run.orgId} and r.session_id = l.session_id
  join run_calls c on c.org_id = r.org_id and c.run_id = r.id
  where c.state = 'done' and (
    c.tool = 'web_fetch' or c.tool = 'web_search' and (c.risk = 'none' or c.approval_id is not null) and exists (
      select from unnest(${urls}::text[]) u (url) where strpos(c.output ->> 'results', u.url) > 0))
  order by c.started_at desc limit ${CALLS_MAX}`
