import { openDatabase } from '../../database/database.ts'
import { cloneDatabase } from '../database.ts'
import { startNoticeProxy } from './notice-proxy.ts'

export interface Statement {
  query: string
  /** Run by a function or trigger, not the client. */
  isNested: boolean
  /** Rows its scans read, used or not, plus pairs its join filters rejected. */
  visitedRows: number
  /** Function calls: runs of statements inside SQL functions. */
  calls: number
  scannedTables: string[]
  scannedRows: number
  plan: PlanNode
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: PlanNode[]
}

/** PostgreSQL reports each statement's plan with counts, those inside functions first. */
const SETTINGS: Record<string, string> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
}

export async function openExplainedDatabase() {
  const database = await cloneDatabase()
  const { connection } = database
  const admin = openDatabase(connection, 'plans')
  const set = (name: string, value: string) =>
    admin.unsafe(`alter database ${connection.database} set ${name} = '${value}'`)
  for (const [name, value] of Object.entries(SETTINGS)) await set(name, value)
  const bodies = await admin<{ body: string }[]>`
    select prosrc as body from pg_proc where pronamespace = 'public'::regnamespace and prolang = (
      select oid from pg_language where lanname = 'sql')`
  const sqlFunctionBodies = new Set(bodies.map(({ body }) => body))
  let statements: Statement[] = []
  const proxy = await startNoticeProxy(connection, () => {
    let calls = 0
    return ({ message, context }) => {
      const statement = parseNotice(message)
      if (!statement) return
      if (sqlFunctionBodies.has(statement.query)) calls++
      else {
        statements.push({ ...statement, calls, isNested: context !== null })
        calls = 0
      }
    }
  })
  return {
    admin,
    connection: proxy.connection,
    /** Without reports, for seeding. */
    plainConnection: connection,
    /** For new connections: plans for given parameters (`custom`) or any (`generic`). */
    async usePlans(kind: 'custom' | 'generic') {
      await set('plan_cache_mode', `force_${kind}_plan`)
      // With a very bad plan, counting would take minutes.
      await set('statement_timeout', '20s')
    },
    async statementsOf(run: () => Promise<unknown>): Promise<Statement[]> {
      statements = []
      await run()
      return statements.filter(({ query }) => !PERIODIC.test(query))
    },
    async close() {
      await proxy.close()
      await admin.end()
      await database.drop()
    },
  }
}

/** Every server runs these each second. */
const PERIODIC = /from suspensions s order by/

function parseNotice(message: string): Statement | null {
  const start = message.indexOf('plan:\n')
  if (start < 0) return null
  const { 'Query Text': query, Plan: plan } = JSON.parse(message.slice(start + 6)) as {
    'Query Text': string
    Plan: PlanNode
  }
  const nodes = nodesOf(plan)
  const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan')
  const rowsOf = (visitors: PlanNode[]) =>
    Math.round(visitors.reduce((sum, node) => sum + visitedBy(node), 0))
  return {
    query,
    plan,
    calls: 0,
    isNested: false,
    visitedRows: rowsOf(nodes),
    scannedTables: scans.map((node) => node['Relation Name']!),
    scannedRows: rowsOf(scans),
  }
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

function visitedBy(node: PlanNode): number {
  const isScan = / Scan$/.test(node['Node Type']) && node['Node Type'] !== 'Subquery Scan'
  const perLoop =
    (isScan ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0) +
    (node['Rows Removed by Index Recheck'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0)
  return perLoop * node['Actual Loops']
}
