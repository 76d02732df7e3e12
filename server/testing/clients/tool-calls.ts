import { findOutsideBlocks } from '../../features/agents/runs/context/outside-texts.ts'
import type { EngineRun } from '../../features/agents/runs/state/run-row.ts'
import type { RunTool, RunToolCall } from '../../features/agents/runs/state/run-tool.ts'
import { newId } from '../../security/ids.ts'
import { CALLER_DEFAULTS } from '../factories/caller.ts'
import type { Person } from '../factories/factories.ts'
import type { TestApp } from '../test-app.ts'

const ORIGIN = { ip: '192.0.2.1', userAgent: null, baseUrl: 'http://localhost', flowSecret: null }

interface CallOptions extends Partial<Omit<RunToolCall, 'run'>> {
  run?: Partial<EngineRun>
}

/** Calls endpoints with all their checks, as the run if its id is given. */
export function toolCall(
  app: TestApp,
  person: Person,
  projectId: string,
  options: CallOptions = {},
): RunToolCall {
  const { id: userId, orgId } = person
  const { run, ...overrides } = options
  const findCaller = async () => {
    const [row] = await app.sql<{ workspaceId: string }[]>`
      select default_workspace_id as "workspaceId" from memberships where org_id = ${orgId} and user_id = ${userId}`
    const credential = run?.id ? { via: 'run' as const, credentialId: run.id } : { credentialId: newId() }
    return { ...CALLER_DEFAULTS, ...credential, userId, orgId, workspaceId: row!.workspaceId }
  }
  const engineRun = {
    id: newId(),
    orgId,
    projectId,
    createdBy: userId,
    trust: 'trusted',
    ...run,
  } as EngineRun
  return {
    run: engineRun,
    orgId,
    projectId,
    runId: engineRun.id,
    trust: engineRun.trust,
    findOutsideBlocks: findOutsideBlocks(app.sql, orgId),
    sql: app.sql,
    invoke: async (name, { params = {}, query = {}, ...input }) => {
      const call = { caller: await findCaller(), origin: ORIGIN, params, query, ...input }
      return JSON.parse((await app.app.invoke(name, call)).body)
    },
    outbound: app.app.system().outbound,
    web: {
      openSearch: () => Promise.reject(new Error('This test searches nothing')),
      limits: { searchesPerRun: 50, fetchesPerRun: 100 },
      domains: { allowedDomains: [], deniedDomains: [] },
    },
    step: 1,
    ordinal: 1,
    now: new Date(),
    idempotencyKey: newId(),
    signal: new AbortController().signal,
    ...overrides,
  }
}

/** Parses the input like the engine. */
// biome-ignore lint/suspicious/noExplicitAny: outputs of any shape, which the test asserts on
export async function useTool<I>(tool: RunTool<I>, call: RunToolCall, input: unknown): Promise<any> {
  const output = await tool.run(call, tool.input.parse(input))
  return JSON.parse(JSON.stringify(output))
}
