import { openDatabase } from '../../server/database/database.ts'
import { followRun } from '../kills/follow-run.ts'
import { startRun } from '../kills/start-runs.ts'
import type { PostgresPair } from './postgres-pair.ts'
import { startPgbouncer } from './proxies.ts'
import type { Servers } from './servers.ts'
import { until } from './until.ts'

interface PoolerOptions {
  ports: { postgres: number; pgbouncer: number }
  databaseUrl: string
  folder: string
  pair: PostgresPair
  servers: Servers
}

/** A process behind PgBouncer completes a run in session mode, and does not start in the other modes. */
export async function checkPooler(
  program: string,
  { ports, databaseUrl, folder, pair, servers }: PoolerOptions,
): Promise<string[]> {
  const problems: string[] = []
  const pooledUrl = `postgres://${pair.user}@127.0.0.1:${ports.pgbouncer}/${pair.user}`
  for (const mode of ['session', 'transaction', 'statement'] as const) {
    const postgres = { port: ports.postgres, user: pair.user }
    const bouncer = await startPgbouncer(program, folder, pair.runAs, {
      port: ports.pgbouncer,
      postgres,
      mode,
    })
    const atrium = await servers.start(`pooled-${mode}`, { DATABASE_URL: pooledUrl })
    if (mode === 'session') problems.push(...(await runBehindPooler(atrium.url, databaseUrl)))
    else if (!/pooler in transaction or statement mode/.test(atrium.output()))
      problems.push(`PgBouncer in ${mode} mode was not refused: ${atrium.output()}`)
    await atrium.stop('SIGKILL')
    await bouncer.stop()
  }
  return problems
}

async function runBehindPooler(url: string, databaseUrl: string): Promise<string[]> {
  const sql = openDatabase(databaseUrl, 'proof')
  try {
    const run = await startRun(sql, url, { name: 'Pooled', steps: 3, model: 'test/script' })
    const reader = followRun({ runId: run.id, key: run.key, url: () => url })
    await until('the run behind PgBouncer ends', () => reader.events.at(-1)?.type === 'run.finished')
    await reader.stop()
    return []
  } catch (error) {
    return [`Behind PgBouncer in session mode: ${(error as Error).message}`]
  } finally {
    await sql.end()
  }
}
