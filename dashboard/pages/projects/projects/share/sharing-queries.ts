import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { OutputOf } from '../../../../../contract/endpoint.ts'
import type { Contract } from '../../../../../contract/index.ts'
import { t } from '../../../../../contract/text.ts'
import { api } from '../../../../api/client.ts'

export type Share = OutputOf<Contract['sharing']['share']>
export type ProjectInvite = OutputOf<Contract['sharing']['invite']>

export const sharingQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['sharing', projectId],
    queryFn: ({ signal }) => api.sharing.read({ projectId }, { signal }),
  })

/** Refetches the project's share link and invitations. */
export function useSharingMutation<Values = void, Result = unknown>(
  projectId: string,
  mutationFn: (values: Values) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: async (result) => {
      onDone?.(result)
      await queries.invalidateQueries({ queryKey: sharingQuery(projectId).queryKey })
    },
  })
}

type Access = Share['access']

export const ACCESSES: Record<Access, { option: string; withPassword: string; withoutPassword: string }> = {
  view: {
    option: t`Can view`,
    withPassword: t`Anyone with the link and its password can view the canvas.`,
    withoutPassword: t`Anyone with the link can view the canvas.`,
  },
  comment: {
    option: t`Can comment`,
    withPassword: t`Anyone with the link and its password can view the canvas and comment on its blocks.`,
    withoutPassword: t`Anyone with the link can view the canvas and comment on its blocks.`,
  },
  edit: {
    option: t`Can edit`,
    withPassword: t`Anyone with the link and its password can edit the canvas.`,
    withoutPassword: t`Anyone with the link can edit the canvas.`,
  },
}
