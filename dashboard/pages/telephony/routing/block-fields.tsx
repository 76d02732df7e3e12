import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { Select } from '../../../components/forms/select.tsx'
import type { ActionDraft } from './rule-draft.ts'

interface BlockFieldsProps {
  draft: ActionDraft
  change: (next: Partial<ActionDraft>) => void
  error: string | undefined
}

/** The agent block of a canvas with which a workflow begins. */
export function BlockFields({ draft, change, error }: BlockFieldsProps) {
  const projects = (useQuery(newestProjectsQuery).data?.items ?? []).filter(({ canEdit }) => canEdit)
  const projectId = draft.projectId || (draft.blockId ? '' : (projects[0]?.id ?? ''))
  const blocks = useQuery({
    queryKey: ['telephony', 'agent-blocks', projectId],
    queryFn: async ({ signal }) => (await api.canvas.list({ projectId }, { signal })).items,
    select: (items) => items.filter(({ type }) => type === 'agent'),
    enabled: projectId !== '',
  })
  const { blockId } = draft
  const isListed = blocks.data?.some(({ id }) => id === blockId)
  return (
    <>
      <Select
        label="Project"
        value={projectId}
        onChange={(event) => change({ projectId: event.target.value, blockId: '' })}
      >
        {projectId === '' && <option value="">The project of the block</option>}
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        label="Agent block"
        required
        value={blockId}
        hint={
          error ?? (blocks.data?.length === 0 ? 'The canvas of this project has no agent block.' : undefined)
        }
        onChange={(event) => change({ blockId: event.target.value })}
      >
        <option value="">Select a block</option>
        {blockId && !isListed && <option value={blockId}>The current block</option>}
        {blocks.data?.map(({ id, title }) => (
          <option key={id} value={id}>
            {title || 'Block without a title'}
          </option>
        ))}
      </Select>
    </>
  )
}
