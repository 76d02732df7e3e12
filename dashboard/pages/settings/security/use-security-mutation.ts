import { useMutation, useQueryClient } from '@tanstack/react-query'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import { sessionQuery } from '../../../api/session.ts'
import { toast } from '../../../components/toast.tsx'
import { securityQuery } from './security-queries.ts'

/** A button that changes how one signs in: said in a toast when refused, and the page then shows how things stand. */
export function useSecurityMutation<Result>(act: () => Promise<Result>, done?: string) {
  return useMutation({
    mutationFn: act,
    onSuccess: () => {
      if (done) toast(done)
    },
    onError: (error) => {
      if (!isDeclinedStepUp(error)) toast(explainShortly(error))
    },
    onSettled: useSecurityRefresh(),
  })
}

/** The session also knows some of it: which proofs there are, and whether the address is verified. */
export function useSecurityRefresh() {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: securityQuery.queryKey })
    void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
}
