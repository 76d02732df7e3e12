import { useQuery } from '@tanstack/react-query'
import { RULE_ACTIONS, TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { TextArea } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { ACTIONS } from './describe-rule.ts'
import type { ActionDraft } from './rule-draft.ts'

export interface ActionFieldsProps {
  title: string
  draft: ActionDraft
  agents: readonly { id: string; name: string }[]
  change: (next: Partial<ActionDraft>) => void
  errorOf: (path: string) => string | undefined
}

const MESSAGES: Record<ActionDraft['type'], { label: string; placeholder: string }> = {
  agent: { label: t`Opening line (optional)`, placeholder: t`Hello, you reached Acme. How can I help?` },
  workflow: {
    label: t`Message to the caller (optional)`,
    placeholder: t`Thank you. We’ll take care of it.`,
  },
  forward: { label: t`Message to the caller (optional)`, placeholder: t`One moment, I’m connecting you.` },
  voicemail: { label: t`Announcement (optional)`, placeholder: t`Please leave a message after the tone.` },
  reject: { label: t`Goodbye message (optional)`, placeholder: t`Our office is closed. Goodbye.` },
}

export function ActionFields({ title, draft, agents, change, errorOf }: ActionFieldsProps) {
  const { type } = draft
  return (
    <fieldset className="flex min-w-0 flex-col gap-16 border-neutral-6 border-t pt-16">
      <legend className="sr-only">{title}</legend>
      <Select
        label={title}
        value={type}
        onChange={(event) => change({ type: event.target.value as ActionDraft['type'] })}
      >
        {RULE_ACTIONS.map((each) => (
          <option key={each} value={each}>
            {ACTIONS[each]}
          </option>
        ))}
      </Select>
      {type === 'agent' && (
        <Select
          label="Agent"
          required
          value={draft.agentId || agents[0]?.id}
          error={errorOf('agentId')}
          onChange={(event) => change({ agentId: event.target.value })}
        >
          {draft.agentId && !agents.some(({ id }) => id === draft.agentId) && (
            <option value={draft.agentId}>Archived agent</option>
          )}
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {type === 'workflow' && <BlockFields draft={draft} change={change} error={errorOf('blockId')} />}
      {(type === 'forward' || type === 'agent') && (
        <TextArea
          label={type === 'forward' ? t`Numbers` : t`Can transfer to (optional)`}
          required={type === 'forward'}
          rows={2}
          placeholder="+4930123456"
          hint="One per line, in dialing order."
          value={draft.targets}
          error={errorOf('targets')}
          onChange={(event) => change({ targets: event.target.value })}
        />
      )}
      <TextArea
        {...MESSAGES[type]}
        rows={2}
        limit={TELEPHONY_LIMITS.message}
        value={draft.message}
        error={errorOf('message')}
        onChange={(event) => change({ message: event.target.value })}
      />
      {(type === 'agent' || type === 'forward') && (
        <Switch
          label="Record calls"
          description="Callers hear a notice first. The recording and transcript are saved as project files."
          checked={draft.record}
          onChange={(record) => change({ record })}
        />
      )}
    </fieldset>
  )
}

interface BlockFieldsProps {
  draft: ActionDraft
  change: (next: Partial<ActionDraft>) => void
  error: string | undefined
}

function BlockFields({ draft, change, error }: BlockFieldsProps) {
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
        {projectId === '' && <option value="">The block’s project</option>}
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
        hint={error ?? (blocks.data?.length === 0 ? t`This project’s canvas has no agent block.` : undefined)}
        onChange={(event) => change({ blockId: event.target.value })}
      >
        <option value="">Select a block</option>
        {blockId && !isListed && <option value={blockId}>Current block</option>}
        {blocks.data?.map(({ id, title }) => (
          <option key={id} value={id}>
            {title || t`Untitled block`}
          </option>
        ))}
      </Select>
    </>
  )
}
