import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { withNames } from '../components/name.tsx'
import { toast, toastFailure } from '../components/toast.tsx'

interface Target {
  organizationId: string
  workspaceId?: string
  name: string
}

/** The page stays visible until the new data has loaded. */
export function useSwitchWorkspace() {
  const router = useRouter()
  const queries = useQueryClient()
  const currentOrganization = () => queries.getQueryData(sessionQuery.queryKey)?.organization.id
  const { mutate } = useMutation({
    mutationFn: ({ organizationId, workspaceId }: Target) =>
      api.security.switch({ organizationId, workspaceId }),
    onSuccess: async (_, { name, organizationId }) => {
      await closePanel(router)
      if (organizationId !== currentOrganization()) await leaveProject(router)
      await refetchAfterSwitch(queries)
      toast(withNames`Switched to ${name}`)
    },
    onError: toastFailure,
  })
  return mutate
}

export async function refetchAfterSwitch(queries: QueryClient) {
  queries.removeQueries({
    type: 'inactive',
    predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0],
  })
  await queries.invalidateQueries()
}

/** Closes a record's panel, since the new workspace doesn't have it. A workspace's own panel stays. */
async function closePanel(router: ReturnType<typeof useRouter>) {
  const matches = router.state.matches
  const last = matches.at(-1)
  const list = matches.at(-2)
  if (
    !last ||
    !list ||
    !('id' in last.params) ||
    last.pathname.startsWith('/settings/organization/workspaces/')
  )
    return
  await router.navigate({ href: list.pathname })
}

/** A project belongs to one organization, but can be in several workspaces. */
async function leaveProject(router: ReturnType<typeof useRouter>) {
  if (router.state.matches.some(({ params }) => 'ref' in params)) await router.navigate({ to: '/projects' })
}
