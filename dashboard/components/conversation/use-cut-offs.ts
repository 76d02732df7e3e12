import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { AgentRun, AgentStep } from '../../api/runs.ts'

/** The highest number of runs to load, with one request each. A conversation rarely has more. */
const RUNS_MAX = 20

const NONE: ReadonlyMap<string, readonly AgentStep[]> = new Map()

/** The attempts of runs with cut-off attempts, except for followed runs, whose events contain the attempts. */
export function useCutOffs(
  runs: readonly AgentRun[],
  followed: ReadonlyMap<string, unknown>,
): ReadonlyMap<string, readonly AgentStep[]> {
  const runsWithCutOffs = runs.filter(({ id, cutOffAttempts }) => cutOffAttempts > 0 && !followed.has(id))
  const ids = runsWithCutOffs.slice(0, RUNS_MAX).map(({ id }) => id)
  const { data } = useQuery({
    queryKey: ['agent-runs', 'cut-off', ...ids],
    queryFn: async ({ signal }) =>
      new Map(
        await Promise.all(
          ids.map(async (id) => [id, (await api.agentRuns.steps({ id }, { signal })).items] as const),
        ),
      ),
    enabled: ids.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? NONE
}
