import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { explainShortly } from '../api/explain.ts'
import { sessionQuery } from '../api/session.ts'
import { toast } from '../components/toast.tsx'

interface Place {
  organizationId: string
  workspaceId?: string
  /** Said when one has arrived. */
  name: string
}

/** Makes another organization or workspace the active one; what is on the screen stays until its successor is there. */
export function useSwitchWorkspace() {
  const router = useRouter()
  const queries = useQueryClient()
  const before = () => queries.getQueryData(sessionQuery.queryKey)?.organization.id
  const { mutate } = useMutation({
    mutationFn: ({ organizationId, workspaceId }: Place) =>
      api.security.switch({ organizationId, workspaceId }),
    onSuccess: async (_, { name, organizationId }) => {
      await leavePanel(router)
      if (organizationId !== before()) await leaveProject(router)
      await refetchAfterSwitch(queries)
      toast(`You are in ${name} now`)
    },
    onError: (error) => toast(explainShortly(error)),
  })
  return mutate
}

/** Forgets what belongs to the old place; what is on the screen is asked for again. */
export async function refetchAfterSwitch(queries: QueryClient) {
  queries.removeQueries({
    type: 'inactive',
    predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0],
  })
  await queries.invalidateQueries()
}

/** One thing of the old place is not in the new one, so its panel closes; workspaces are the place itself. */
async function leavePanel(router: ReturnType<typeof useRouter>) {
  const matches = router.state.matches
  const last = matches.at(-1)
  const list = matches.at(-2)
  if (!last || !list || !('id' in last.params) || last.pathname.startsWith('/settings/workspaces/')) return
  await router.navigate({ href: list.pathname })
}

/** A project is of one organization; of its workspaces any may be the active one. */
async function leaveProject(router: ReturnType<typeof useRouter>) {
  if (router.state.matches.some(({ params }) => 'ref' in params)) await router.navigate({ to: '/projects' })
}
