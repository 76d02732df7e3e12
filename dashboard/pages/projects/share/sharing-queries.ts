import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { api } from '../../../api/client.ts'

export type Share = OutputOf<Contract['sharing']['share']>
export type ProjectInvite = OutputOf<Contract['sharing']['invite']>

export const sharingQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['sharing', projectId],
    queryFn: ({ signal }) => api.sharing.read({ projectId }, { signal }),
  })

/** Something done to the links of a project; the list of them then is asked for again. */
export function useSharing<Values = void, Answer = unknown>(
  projectId: string,
  act: (values: Values) => Promise<Answer>,
  onDone?: (answer: Answer) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async (answer) => {
      onDone?.(answer)
      await queries.invalidateQueries({ queryKey: sharingQuery(projectId).queryKey })
    },
  })
}
