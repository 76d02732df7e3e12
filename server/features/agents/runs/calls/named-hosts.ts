import type { Sql } from '../../../../database/database.ts'
import type { Answer } from '../state/answer.ts'
import type { RunAgent } from '../state/prompt.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { RunTool } from '../state/run-tool.ts'
import { isInDomains } from '../web/domains.ts'

/**
 * Hosts a member named: in this conversation, its ancestors, the agent's or project's prompt, or the agent's allowed
 * domains. Models invent hosts, and untrusted content suggests them.
 */
export async function findNamedHosts(
  sql: Sql,
  run: EngineRun,
  agent: Pick<RunAgent, 'prompt' | 'web'>,
  tools: ReadonlyMap<string, RunTool>,
  { calls }: Pick<Answer, 'calls'>,
): Promise<ReadonlySet<string>> {
  const hosts = new Set<string>()
  for (const { tool: name, input } of calls) {
    const tool = tools.get(name)
    const parsed = tool?.hostIn && tool.input.safeParse(input)
    if (parsed?.success) hosts.add(tool!.hostIn!(parsed.data))
  }
  hosts.delete('')
  if (hosts.size === 0 || run.trust !== 'trusted') return new Set()
  const texts = [agent.prompt, ...(await listTextsWith(sql, run, [...hosts]))]
  return new Set(
    [...hosts].filter(
      (host) => isInDomains(host, agent.web.allowedDomains) || texts.some((text) => names(text, host)),
    ),
  )
}

const TEXTS_MAX = 100

/** A child run uses its parent's messages. */
async function listTextsWith(sql: Sql, run: EngineRun, hosts: string[]): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    with recursive line as (
      select r.session_id, r.parent_run_id from runs r where r.org_id = ${run.orgId} and r.id = ${run.id}
      union all
      select r.session_id, r.parent_run_id from line l
      join runs r on r.org_id = ${run.orgId} and r.id = l.parent_run_id
    ), texts as (
      select m.body as text from line l
      join messages m on m.org_id = ${run.orgId} and m.session_id = l.session_id
      where m.role = 'user' and m.trust = 'trusted' and m.author_id is not null
      union all
      select p.prompt from projects p where p.org_id = ${run.orgId} and p.id = ${run.projectId}
    )
    select t.text from texts t
    where exists (select from unnest(${hosts.map(withoutWww)}::text[]) h (host) where strpos(lower(t.text), h.host) > 0)
    limit ${TEXTS_MAX}`
  return rows.map(({ text }) => text)
}

const withoutWww = (host: string) => host.replace(/^www\./, '')

/** `example.com` names `www.example.com`, but not `evil-example.com`. */
function names(text: string, host: string): boolean {
  const escaped = withoutWww(host).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![a-z0-9.-])(?:www\\.)?${escaped}(?![a-z0-9-]|\\.[a-z0-9])`, 'iu').test(text)
}
