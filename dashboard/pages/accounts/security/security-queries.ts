import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { api } from '../../../api/client.ts'
import { isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { sessionQuery } from '../../../api/session.ts'
import { toast } from '../../../components/toast.tsx'

export type SecurityOverview = OutputOf<Contract['security']['overview']>

export const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: ({ signal }) => api.security.overview(undefined, { signal }),
})

export function useSecurityMutation<Result>(mutationFn: () => Promise<Result>, success?: string) {
  return useMutation({
    mutationFn,
    onSuccess: () => {
      if (success) toast(success)
    },
    onError: (error) => {
      if (!isDeclinedStepUp(error)) toast(shortMessage(error))
    },
    onSettled: useSecurityRefresh(),
  })
}

/** The session contains the step-up methods and whether the email is verified. */
export function useSecurityRefresh() {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: securityQuery.queryKey })
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
}
